/**
 * One link of each kind in the real page: the row that it becomes.
 * tests/server/report/sources.test.ts has the whole table.
 */
import { join } from 'node:path';
import { openDatabase } from '../../server/database/database.ts';
import { expect, newClicks, test } from './fixtures.ts';

interface Kind {
  link: string;
  ref: string;
  /** What the row and the line have of the campaign. */
  source?: string;
}

const kindsOf = (code: string): Kind[] => [
  {
    link: `/?REF=${code}.&amp;UTM_Source=Spring%20Sale&utm_source=b`,
    ref: `${code}.`,
    source: 'spring-sale',
  },
  {
    link: `/es/r/%22${code}%22%3Ffbclid=secret&utm_source=ana%40example.org`,
    ref: `"${code}`,
    source: '',
  },
];

test('a code and a campaign have one name, whatever programs add to the link', async ({
  page,
  world,
  ref,
}) => {
  const code = `Kind-${ref}`;
  const key = code.toLowerCase();
  const db = await openDatabase([], join(world.site.dataDir, 'site.db'));
  for (const kind of kindsOf(code)) {
    const before = world.site.lines().length;
    await page.goto(kind.link);
    await page.click('[data-cta=hero]');
    const [line] = await newClicks(world, before, 1);
    expect(line).toMatchObject({ referrer: kind.ref, ref_key: key });
    expect(line?.campaign).toEqual({ utm_source: kind.source });
    // The portal gets the ref as it was read, and the page's address nothing else.
    const { searchParams } = new URL(String(line?.page_url));
    expect([...searchParams]).toEqual([['ref', kind.ref]]);
    await expect
      .poll(() => world.signUps.at(-1))
      .toContain(new URLSearchParams({ ref: kind.ref }).toString());
    await expect
      .poll(() =>
        db.read('SELECT referrer, utm_source FROM visits WHERE ref_key = $1 AND referrer = $2', [
          key,
          kind.ref,
        ]),
      )
      .toEqual([{ referrer: kind.ref, utm_source: kind.source }]);
  }
  await db.close();
});
