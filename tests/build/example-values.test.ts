/** The example's values, of which `site check` and a server's start warn. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtSiteSchema } from '#contract/built-site.schema.ts';

test('the last build lists those of the repository, in site.json and in the pages', () => {
  const file = join(process.env.DIST_DIR ?? 'dist', 'site.json');
  expect(builtSiteSchema.parse(JSON.parse(readFileSync(file, 'utf8')))).toMatchObject({
    exampleKeys: [
      ...['siteUrl', 'productName', 'partnerName', 'operator', 'operatorAddress'],
      ...['contactEmail', 'phone', 'invitationCode'],
    ],
    exampleNames: ['Larkspur Road Fund', 'Summit Road Research Ethics Board', 'Elena Marchetti'],
  });
});
