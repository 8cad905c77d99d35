import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { statsSchema } from '#contract/stats.schema.ts';
import { dayOf } from '../../../server/clicks/store-clicks.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const agoMs = (days: number) => Date.now() - days * DAY_MS;

describe.each(DATABASES)('clickRetentionDays on $name', ({ makeEnv }) => {
  test('deletes the rows that the server received before, and keeps the totals', async () => {
    const env = await makeEnv();
    const site = await startApp({ env });
    const stays = [v7({ msecs: agoMs(7) }), v7(), v7()];
    for (const id of stays) await postClick(site, makeBody({ id }));
    const row = (id: string, at: number) =>
      `('${id}', 'hero_cta_click', ${at}, 'fetch', false, false, true)`;
    const old = Array.from({ length: 1100 }, () => row(v7({ msecs: agoMs(12) }), agoMs(11)));
    // Its browser’s clock was a day ahead.
    old.push(row(v7({ msecs: agoMs(9.8) }), agoMs(10.5)));
    const columns = '(id, event, received_at, via, is_bot, is_private, is_known)';
    await execute(site.config, `INSERT INTO clicks ${columns} VALUES ${old.join(', ')}`);
    const counted = `('${dayOf(agoMs(11))}', 'hero_cta_click', false, 'host', ${old.length})`;
    await execute(site.config, `INSERT INTO click_counts VALUES ${counted}`);
    await site.close();

    const later = await startApp({
      env,
      site: { clickRetentionDays: 10 },
      dataDir: site.config.dataDir,
    });
    const ids = async () => (await later.rows('SELECT id FROM clicks')).map(({ id }) => id).sort();
    await expect.poll(ids).toEqual(stays.sort());
    const { clicks } = statsSchema.parse((await later.app.inject('/api/stats')).json());
    expect(clicks.total).toBe(old.length + stays.length);
    expect(later.logged().map(({ msg }) => msg)).toContain(
      `Deleted ${old.length} clicks older than 10 days`,
    );
  });
});

test.each([
  [0, ['29', '30']],
  [20, []],
])(
  'with clickRetentionDays=%s log files of the days before %j go, and no other file',
  async (clickRetentionDays, kept) => {
    const dataDir = makeDataDir();
    const nameOf = (name: string, days: number | string) =>
      `${name}-${dayOf(agoMs(Number(days)))}.jsonl`;
    const own = [
      'notes.txt',
      'clicks.jsonl.1',
      'my-clicks-2020-01-01.jsonl',
      'old-2020-01-01.jsonl',
    ];
    const backups = ['clicks-2020-01-01.jsonl.bak', 'clicks-2020-01.jsonl'];
    const dated = ['clicks', 'refused'].flatMap((name) =>
      [29, 30, 31, 400].map((days) => nameOf(name, days)),
    );
    for (const name of [...own, ...backups, ...dated]) writeFileSync(join(dataDir, name), '');
    const site = await startApp({ dataDir, site: { clickRetentionDays } });
    await site.close();
    const left = readdirSync(dataDir).filter((name) =>
      [...own, ...backups, ...dated].includes(name),
    );
    const young = kept.flatMap((days) => ['clicks', 'refused'].map((name) => nameOf(name, days)));
    expect(left.sort()).toEqual([...own, ...backups, ...young].sort());
  },
);

test('without clickRetentionDays no row is deleted', async () => {
  const site = await startApp();
  await postClick(site, makeBody());
  await execute(site.config, 'UPDATE clicks SET received_at = 0');
  await site.close();
  const later = await startApp({ dataDir: site.config.dataDir });
  await later.close();
  const again = await startApp({ dataDir: site.config.dataDir });
  expect(await again.rows('SELECT id FROM clicks')).toHaveLength(1);
});
