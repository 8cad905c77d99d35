/** Rows, registrations and log files that are too old are deleted, also after a failure. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { DAY_MS, dayOf } from '../../server/time.ts';
import { DATABASES, execute } from '../helpers/server/databases.ts';
import { readPeople, readRegistrations, register } from '../helpers/server/registrations.ts';
import {
  agoMs,
  deletedMessages,
  runningFor,
  runRetention,
  startForLong,
} from '../helpers/server/retention-site.ts';
import { clickRow, storeRows, visitRow } from '../helpers/server/rows.ts';
import { makeBody, makeDataDir, startApp } from '../helpers/server/server-app.ts';

/** Period and pause of the job, so that the test need not wait for the next hour. */
const QUICK = { everyMs: 20, longestPauseMs: 20 };

describe.each(DATABASES)('on $name', ({ name, makeEnv }) => {
  test('clickRetentionDays deletes the rows that the server received before, and keeps the totals', async () => {
    const env = await makeEnv();
    const site = await startForLong({ env, site: { clickRetentionDays: 10 } });
    const stays = [v7({ msecs: agoMs(7) }), v7(), v7()];
    for (const id of stays) await site.postClick(makeBody({ id }));
    const row = (id: string, at: number) =>
      `('${id}', 'hero_cta_click', ${at}, 'fetch', false, false, false, false, true)`;
    const old = Array.from({ length: 1100 }, () => row(v7({ msecs: agoMs(12) }), agoMs(11)));
    // Its browser’s clock was a day ahead.
    old.push(row(v7({ msecs: agoMs(9.8) }), agoMs(10.5)));
    const columns =
      '(id, event, received_at, via, is_bot, is_internal, is_automated, is_private, is_known)';
    await execute(site.config, `INSERT INTO clicks ${columns} VALUES ${old.join(', ')}`);
    const counted = `('${dayOf(agoMs(11))}', 'hero_cta_click', false, 'host', ${old.length})`;
    await execute(site.config, `INSERT INTO click_counts VALUES ${counted}`);
    await runRetention(site);
    expect(await site.rows('SELECT COUNT(*) AS n FROM clicks')).toEqual([{ n: old.length + 3 }]);
    site.running.set(25);
    await runRetention(site);
    const ids = (await site.rows('SELECT id FROM clicks')).map(({ id }) => id);
    expect(ids.sort()).toEqual(stays.sort());
    const [total] = await site.rows('SELECT SUM(n) AS n FROM click_counts');
    expect(Number(total?.n)).toBe(old.length + stays.length);
    expect(deletedMessages(site)).toEqual([`Deleted clicks older than 10 days: ${old.length}`]);
  });

  test('each registration and its mail are deleted on their day, also from the files, and clicks and visits', async () => {
    const env = await makeEnv();
    let at = Date.now();
    const site = await startForLong({
      env,
      site: { clickRetentionDays: 30, registrationRetentionDays: 30 },
      now: () => at,
    });
    const pass = (days: number) => {
      at += days * DAY_MS;
      return runRetention(site);
    };
    await site.postClick(makeBody());
    await storeRows(site.data.db, [], [visitRow(Date.now())]);
    for (const [name, days] of [
      ['oldest', 11],
      ['old', 10],
      ['young', 0],
    ] as const) {
      at = agoMs(days);
      await register(site, `${name}@example.org`);
    }
    at = Date.now();
    const emails = async () => (await readPeople(site.config)).map(({ email }) => email);
    const texts = (await readRegistrations(site.config)).map(({ row }) => row.encrypted);
    /**
     * What the files still have of the registrations: in SQLite’s case their texts, otherwise the
     * table’s pages.
     */
    const left = async () => {
      const size = "SELECT pg_relation_size('registrations') AS bytes";
      if (name === 'PostgreSQL') return (await site.rows(size))[0]?.bytes;
      const { dataDir } = site.config;
      const files = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'latin1'));
      return texts.filter((text) => files.some((file) => file.includes(text))).length;
    };
    await pass(19.5);
    expect(await emails()).toEqual(['old@example.org', 'young@example.org']);
    expect(await left()).toBeGreaterThan(0);
    await pass(1);
    expect(await emails()).toEqual(['young@example.org']);
    expect(await site.rows('SELECT id FROM mail_outbox')).toHaveLength(1);
    expect(await site.rows('SELECT id FROM clicks')).toHaveLength(1);
    await storeRows(site.data.db, [clickRow(agoMs(0))], [visitRow(agoMs(0))]);
    await storeRows(site.data.db, [clickRow(agoMs(-25))], [visitRow(agoMs(-25))]);
    await pass(10);
    expect(await left()).toBe(0);
    expect(await emails()).toEqual([]);
    expect(await site.rows('SELECT id FROM mail_outbox')).toEqual([]);
    for (const table of ['clicks', 'visits'])
      expect(await site.rows(`SELECT id FROM ${table}`)).toHaveLength(1);
    const text = (what: string, n = 1) => `Deleted ${what} older than 30 days: ${n}`;
    const rest = [text('clicks', 2), text('visits', 2), text('registrations')];
    expect(deletedMessages(site)).toEqual([text('registrations'), text('registrations'), ...rest]);
  });
});

test.each([
  [0, [19, 29, 30]],
  [20, [19]],
])(
  'with clickRetentionDays=%s log files of the days before %j go, and no other file',
  async (clickRetentionDays, kept) => {
    const dataDir = makeDataDir();
    const dated = (days: number[]) =>
      days.flatMap((n) => ['clicks', 'refused'].map((name) => `${name}-${dayOf(agoMs(n))}.jsonl`));
    const others = [
      'notes.txt',
      'clicks.jsonl.1',
      'my-clicks-2020-01-01.jsonl',
      'old-2020-01-01.jsonl',
      'clicks-2020-01-01.jsonl.bak',
      'clicks-2020-01.jsonl',
    ];
    const old = dated([19, 29, 30, 31, 400]);
    for (const name of [...others, ...old]) writeFileSync(join(dataDir, name), '');
    const site = await startForLong({ dataDir, site: { clickRetentionDays } });
    await runRetention(site);
    const left = readdirSync(dataDir).filter((name) => [...others, ...old].includes(name));
    expect(left.sort()).toEqual([...others, ...dated(kept)].sort());
  },
);

test('what cannot be deleted has a line each hour, and is deleted later', async () => {
  const running = runningFor();
  const site = await startApp({
    site: { clickRetentionDays: 10 },
    rests: { retention: QUICK },
    uptime: running.uptime,
  });
  await storeRows(site.data.db, [clickRow(agoMs(0))], [visitRow(agoMs(0))]);
  running.set(1);
  await execute(site.config, 'ALTER TABLE visits RENAME TO elsewhere');
  await storeRows(site.data.db, [clickRow(agoMs(11))]);
  const failures = () => site.logged().filter(({ msg }) => msg === 'Old data could not be deleted');
  await expect.poll(() => failures().length).toBeGreaterThan(1);
  // Each run starts at the first table, so that it also visits those before the one at fault.
  await storeRows(site.data.db, [clickRow(agoMs(12))]);
  await expect.poll(() => site.rows('SELECT id FROM clicks')).toHaveLength(1);
  expect(failures()[0]).toMatchObject({
    level: 50,
    err: { message: expect.stringContaining('no such table: visits') },
  });
  await execute(site.config, 'ALTER TABLE elsewhere RENAME TO visits');
  await storeRows(site.data.db, [], [visitRow(agoMs(11))]);
  await expect.poll(() => site.rows('SELECT id FROM visits')).toHaveLength(1);
});
