import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openReader } from '../../server/database/open-reader.ts';
import { readFigures } from '../../server/report/figures/read-figures.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../server/time.ts';
import { DATABASES, execute } from '../helpers/server/databases.ts';
import { readPeople, readRegistrations, register } from '../helpers/server/registrations.ts';
import { clickRow, storeRows, visitRow } from '../helpers/server/rows.ts';
import { runSite } from '../helpers/server/run-site.ts';
import { makeBody, makeDataDir, type Site, startApp } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

/** So that the test need not wait for the next hour. */
const QUICK = { everyMs: 20, longestPauseMs: 20 };

/** The clock of a server that has run for an hour: it starts at 0. */
function runningFor() {
  let hours = 0;
  return {
    uptime: () => hours * HOUR_MS,
    /** Lets so many hours pass since the start. */
    set: (since: number) => {
      hours = since;
    },
  };
}

const agoMs = (days: number) => Date.now() - days * DAY_MS;

/** Starts a server, which has run for an hour then. */
async function startForLong(options: Parameters<typeof startApp>[0]) {
  const running = runningFor();
  const site = await startApp({ jobs: [], ...options, uptime: running.uptime });
  running.set(1);
  return { ...site, running };
}

/** Does the work of one hour. */
async function runRetention(site: Pick<Site, 'step'>): Promise<void> {
  while (await site.step('retention'));
}

const deleted = (site: Pick<Site, 'logged'>) =>
  site.logged().flatMap(({ msg }) => (/^Deleted/.test(`${msg}`) ? [msg] : []));

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
    expect(deleted(site)).toEqual([`Deleted clicks older than 10 days: ${old.length}`]);
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
    expect(deleted(site)).toEqual([text('registrations'), text('registrations'), ...rest]);
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
    expect(deleted(site)).toEqual([
      'Deleted events that PostHog refused, older than 20 days: 1',
      'Deleted events that wait for PostHog, older than 20 days: 1',
      'Deleted events that wait for PostHog, older than 20 days: 1001',
    ]);
  },
);

test('what leads to a person goes too, if ten days without a click were before', async () => {
  const site = await startForLong({ site: { personalDataDays: 20 } });
  const ip = '203.0.113.7';
  const clicks = [40, 30, 1].map((days) => clickRow(agoMs(days), { ip }));
  await storeRows(site.data.db, clicks);
  await runRetention(site);
  const left = await site.rows('SELECT ip FROM clicks ORDER BY id');
  expect(left).toEqual([{ ip: null }, { ip: null }, { ip }]);
});

test('a click keeps its row when its addresses, browser and visit id go, and the day keeps its gaps', async () => {
  const site = await startForLong({ site: { personalDataDays: 20 } });
  const at = agoMs(22) - (agoMs(22) % DAY_MS) + HOUR_MS;
  const visit_id = v7({ msecs: at });
  const named = { visit_id, ip: '203.0.113.7', remote_ip: '203.0.113.7', referrer: 'clinic-7' };
  const [first, fourth] = [1, 4].map((seq) => clickRow(at + seq, { ...named, seq }));
  const young = clickRow(agoMs(19), named);
  await storeRows(site.data.db, [first, fourth, young] as never);
  const before = await site.rows('SELECT * FROM clicks ORDER BY id');
  await runRetention(site);
  const nobody = { visit_id: null, ip: null, remote_ip: null, user_agent: null };
  const [one, four, last] = before;
  expect(await site.rows('SELECT * FROM clicks ORDER BY id')).toEqual([
    { ...one, ...nobody },
    { ...four, ...nobody },
    last,
  ]);
  const gaps = 'SELECT day, lost FROM click_gaps';
  expect(await site.rows(gaps)).toEqual([{ day: dayOf(at), lost: 2 }]);
  await runRetention(site);
  expect(await site.rows(gaps)).toEqual([{ day: dayOf(at), lost: 2 }]);
  const reader = await openReader([], site.config.files.database);
  const period = { since: at - DAY_MS, until: Date.now() };
  const selection = { period, length: 1, timeZone: 'UTC', filters: {}, isShared: false };
  const question = { ...selection, now: Date.now() };
  expect((await readFigures(reader, question)).lost).toBe(2);
  await reader.close();
  expect(deleted(site)).toEqual(['Deleted personal data of clicks older than 20 days: 2']);
});
