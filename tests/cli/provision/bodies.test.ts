import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  annotationBodySchema,
  dashboardBodySchema,
  insightBodySchema,
  tilesBodySchema,
} from '../../../server/posthog/management/bodies.schema.ts';
import { startProject } from './provision-command.ts';

/** What the command sends, by the end of the path. */
const SCHEMAS: [path: RegExp, schema: z.ZodType][] = [
  [/dashboards\/$/, dashboardBodySchema],
  [/insights\/$/, insightBodySchema],
  [/annotations\/$/, annotationBodySchema],
  [/dashboards\/[1-9]\d*\/$/, tilesBodySchema],
];

test('every body that is sent has a strict schema, which refuses it with any key misspelt', async () => {
  const { posthog, provision } = await startProject();
  await provision(['apply']);
  const sent = posthog.writes().filter(({ path }) => !path.endsWith('/0/'));
  const kinds = new Set<z.ZodType>();
  for (const { path, body } of sent) {
    const schema = SCHEMAS.find(([end]) => end.test(path))?.[1];
    if (!schema) throw new Error(`No schema for ${path}`);
    kinds.add(schema);
    expect(schema.safeParse(body).success).toBe(true);
    for (const key of Object.keys(body ?? {})) {
      const text = JSON.stringify(body).replace(`"${key}":`, `"${key}_":`);
      expect({ key, accepted: schema.safeParse(JSON.parse(text)).success }).toEqual({
        key,
        accepted: false,
      });
    }
  }
  expect(kinds.size).toBe(SCHEMAS.length);
});
