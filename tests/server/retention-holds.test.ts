/** Retention deletes nothing while the clock may be wrong, and announces what is a large part. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dayOf } from '../../server/time.ts';
import { execute } from '../helpers/server/databases.ts';
import { register } from '../helpers/server/registrations.ts';
import {
  agoMs,
  deletedMessages,
  runRetention,
  startForLong,
} from '../helpers/server/retention-site.ts';
import { clickRow, storeRows, visitRow } from '../helpers/server/rows.ts';
import { runSite } from '../helpers/server/run-site.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

/** Everything of a site with an end: rows, personal columns, and log files. */
const ENDS = { clickRetentionDays: 30, registrationRetentionDays: 30, personalDataDays: 20 };

/** Starts a server that has kept something of the last five days, in every table and log. */
async function startWithData(now: () => number, clicks = 3) {
  const dataDir = makeDataDir();
  for (const name of ['clicks', 'refused'])
    for (const days of [1, 5])
      writeFileSync(join(dataDir, `${name}-${dayOf(agoMs(days))}.jsonl`), 'a line\n');
  const site = await startForLong({ dataDir, site: ENDS, now });
  const ip = '203.0.113.7';
  const rows = Array.from({ length: clicks }, () => clickRow(agoMs(5), { ip, remote_ip: ip }));
  await storeRows(site.data.db, rows, [visitRow(agoMs(5))]);
  await register(site, 'ana@example.org');
  await execute(site.config, `UPDATE registrations SET registered_at = ${agoMs(5)}`);
  const read = async () => ({
    clicks: (await site.rows('SELECT id FROM clicks')).length,
    addresses: (await site.rows('SELECT id FROM clicks WHERE ip IS NOT NULL')).length,
    visits: (await site.rows('SELECT id FROM visits')).length,
    registrations: (await site.rows('SELECT id FROM registrations')).length,
    files: readdirSync(dataDir).filter((name) => name.endsWith('.jsonl')).length,
  });
  const warnings = () => site.logged().flatMap(({ level, msg }) => (level === 40 ? [msg] : []));
  return { ...site, read, warnings };
}

test('with a clock that is 60 days ahead nothing goes, until a person says that it is right', async () => {
  const site = await startWithData(() => agoMs(-60));
  const all = { clicks: 3, addresses: 3, visits: 1, registrations: 1, files: 4 };
  for (const hours of [0, 1, 2, 26, 100]) {
    site.running.set(hours);
    await runRetention(site);
    expect(await site.read()).toEqual(all);
  }
  const held = site.warnings().filter((text) => `${text}`.includes('retention --yes'));
  // Six kinds of data, at most once a day each.
  expect(held).toHaveLength(3 * 6);
  const env = { DATA_DIR: site.config.dataDir };
  const command = ['retention', '--build', makeDist(ENDS)];
  vi.useFakeTimers({ toFake: ['Date'], now: agoMs(-60) });
  onTestFinished(() => void vi.useRealTimers());
  const shown = await runSite(command, env);
  expect(shown.out).toContain('clicks older than 30 days: 3\n');
  expect(await site.read()).toEqual(all);
  expect(await runSite([...command, '--yes'], env)).toMatchObject({ code: 0 });
  const none = { clicks: 0, addresses: 0, visits: 0, registrations: 0, files: 0 };
  expect(await site.read()).toEqual(none);
});

test('in the first hour after a start nothing is deleted', async () => {
  const site = await startWithData(() => agoMs(-24));
  await storeRows(site.data.db, [clickRow(agoMs(-24))]);
  for (const hours of [0, 0.99]) {
    site.running.set(hours);
    await runRetention(site);
    expect(await site.read()).toMatchObject({ addresses: 3 });
  }
  site.running.set(1);
  await runRetention(site);
  expect(await site.read()).toMatchObject({ clicks: 4, addresses: 0 });
});

test('a large part is announced, and only that part goes a day later', async () => {
  let ahead = 24;
  const site = await startWithData(() => agoMs(-ahead), 1100);
  // Pings, which a server with a wrong clock would take too.
  const later = clickRow(agoMs(-24), { ip: '203.0.113.7' });
  await storeRows(site.data.db, [later, clickRow(agoMs(-47))]);
  await runRetention(site);
  expect(await site.read()).toMatchObject({ clicks: 1102, addresses: 1101 });
  expect(site.warnings()).toContainEqual(
    expect.stringMatching(
      /^In a day, 1100 or more are deleted.+: personal data of clicks older than 20/,
    ),
  );
  site.running.set(24.9);
  await runRetention(site);
  expect(await site.read()).toMatchObject({ addresses: 1101 });
  // The clock leaps meanwhile: what was not announced stays.
  ahead = 60;
  site.running.set(25);
  await runRetention(site);
  expect(await site.read()).toMatchObject({ clicks: 1102, addresses: 1 });
});

test.each([
  { personalDataDays: 20, clickRetentionDays: 0 },
  { personalDataDays: 0, clickRetentionDays: 20 },
])(
  'with %j an event that PostHog refused or never took goes after 20 days, and a refused click waits for an operator',
  async (days) => {
    const site = await startForLong({ site: days });
    const queue = (rows: string[]) =>
      execute(
        site.config,
        `INSERT INTO posthog_outbox (uuid, event, queued_at, due_at, attempts, refused)
       VALUES ${rows.join(', ')}`,
      );
    const event = (days: number, refused: string | null, text: string | null = '{}') =>
      `('${v7()}', ${text && `'${text}'`}, ${Math.floor(agoMs(days))}, 0, 0, ${refused && `'${refused}'`})`;
    const left = async () =>
      (await site.rows('SELECT event, refused FROM posthog_outbox ORDER BY queued_at')).map(
        ({ event, refused }) => [event, refused],
      );
    await queue([event(22, 'drop', null), event(22, 'drop'), event(22, null)]);
    await runRetention(site);
    expect(await left(), 'nothing newer has come').toHaveLength(3);
    await queue([event(19, 'drop', '{"n":1}'), event(18, null, '{"n":2}')]);
    await runRetention(site);
    expect(await left()).toEqual([
      [null, 'drop'],
      ['{"n":1}', 'drop'],
      ['{"n":2}', null],
    ]);
    await queue(Array.from({ length: 1001 }, () => event(22, null)));
    await runRetention(site);
    expect(await left(), 'over a tenth is announced').toHaveLength(1004);
    site.running.set(25);
    await runRetention(site);
    expect(await left()).toHaveLength(3);
    expect(deletedMessages(site)).toEqual([
      'Deleted events that PostHog refused, older than 20 days: 1',
      'Deleted events that wait for PostHog, older than 20 days: 1',
      'Deleted events that wait for PostHog, older than 20 days: 1001',
    ]);
  },
);
