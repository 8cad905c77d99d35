import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { describe, expect, test, vi } from 'vitest';
import { DAY_MS, dayOf, HOUR_MS } from '../../server/time.ts';
import { DATABASES, execute } from '../helpers/server/databases.ts';
import { readPeople, readRegistrations, register } from '../helpers/server/registrations.ts';
import { storeRows, visitRow } from '../helpers/server/rows.ts';
import { makeBody, makeDataDir, type Site, startApp } from '../helpers/server/server-app.ts';

const agoMs = (days: number) => Date.now() - days * DAY_MS;

const deleted = (site: Site) =>
  site.logged().flatMap(({ msg }) => (/^Deleted/.test(`${msg}`) ? [msg] : []));

describe.each(DATABASES)('on $name', ({ name, makeEnv }) => {
  test('clickRetentionDays deletes the rows that the server received before, and keeps the totals', async () => {
    const env = await makeEnv();
    const site = await startApp({ env });
    const stays = [v7({ msecs: agoMs(7) }), v7(), v7()];
    for (const id of stays) await site.postClick(makeBody({ id }));
    const row = (id: string, at: number) =>
      `('${id}', 'hero_cta_click', ${at}, 'fetch', false, false, false, true)`;
    const old = Array.from({ length: 1100 }, () => row(v7({ msecs: agoMs(12) }), agoMs(11)));
    // Its browser’s clock was a day ahead.
    old.push(row(v7({ msecs: agoMs(9.8) }), agoMs(10.5)));
    const columns = '(id, event, received_at, via, is_bot, is_internal, is_private, is_known)';
    await execute(site.config, `INSERT INTO clicks ${columns} VALUES ${old.join(', ')}`);
    const counted = `('${dayOf(agoMs(11))}', 'hero_cta_click', false, 'host', ${old.length})`;
    await execute(site.config, `INSERT INTO click_counts VALUES ${counted}`);
    await site.close();

    const { dataDir } = site.config;
    const later = await startApp({ env, site: { clickRetentionDays: 10 }, dataDir });
    const ids = async () => (await later.rows('SELECT id FROM clicks')).map(({ id }) => id).sort();
    await expect.poll(ids).toEqual(stays.sort());
    const { clicks } = (await later.app.inject('/api/stats')).json();
    expect(clicks.total).toBe(old.length + stays.length);
    expect(deleted(later)).toEqual([`Deleted clicks older than 10 days: ${old.length}`]);
  });

  test('a running server deletes each registration and its mail on its day, also from the files, and clicks and visits', async () => {
    const env = await makeEnv();
    const timers = vi.spyOn(globalThis, 'setInterval');
    let at = Date.now();
    const site = await startApp({
      env,
      site: { clickRetentionDays: 30, registrationRetentionDays: 30 },
      now: () => at,
    });
    const pass = (days: number) => {
      at += days * DAY_MS;
      for (const [run, ms] of timers.mock.calls) if (ms === HOUR_MS) run();
    };
    await site.postClick(makeBody());
    await storeRows(site.data.db, [], [visitRow(Date.now())]);
    for (const [name, days] of [
      ['oldest', 11],
      ['old', 10],
      ['young', 0],
    ] as const) {
      await register(site, `${name}@example.org`);
      const age = `UPDATE registrations SET registered_at = ${agoMs(days)}`;
      await execute(site.config, `${age} WHERE registered_at > ${agoMs(1)}`);
    }
    const emails = async () => (await readPeople(site.config)).map(({ email }) => email);
    const texts = (await readRegistrations(site.config)).map(({ row }) => row.encrypted);
    /** What the files still have of the registrations: in SQLite’s case their texts, otherwise the table’s pages. */
    const left = async () => {
      const size = "SELECT pg_relation_size('registrations') AS bytes";
      if (name === 'PostgreSQL') return (await site.rows(size))[0]?.bytes;
      const { dataDir } = site.config;
      const files = readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'latin1'));
      return texts.filter((text) => files.some((file) => file.includes(text))).length;
    };
    pass(19.5);
    await expect.poll(emails).toEqual(['old@example.org', 'young@example.org']);
    expect(await left()).toBeGreaterThan(0);
    pass(1);
    await expect.poll(emails).toEqual(['young@example.org']);
    expect(await site.rows('SELECT id FROM mail_outbox')).toHaveLength(1);
    expect(await site.rows('SELECT id FROM clicks')).toHaveLength(1);
    pass(10);
    await expect.poll(left).toBe(0);
    expect(await emails()).toEqual([]);
    for (const table of ['mail_outbox', 'clicks', 'visits'])
      expect(await site.rows(`SELECT id FROM ${table}`)).toEqual([]);
    const one = (what: string) => `Deleted ${what} older than 30 days: 1`;
    const all = ['registrations', 'registrations', 'clicks', 'visits', 'registrations'].map(one);
    await expect.poll(() => deleted(site)).toEqual(all);
  });
});

test.each([
  [0, [29, 30]],
  [20, []],
])(
  'with clickRetentionDays=%s log files of the days before %j go, and no other file',
  async (clickRetentionDays, kept) => {
    const dataDir = makeDataDir();
    const dated = (days: number[]) =>
      days.flatMap((n) => ['clicks', 'refused'].map((name) => `${name}-${dayOf(agoMs(n))}.jsonl`));
    const others = [
      ...['notes.txt', 'clicks.jsonl.1', 'my-clicks-2020-01-01.jsonl', 'old-2020-01-01.jsonl'],
      ...['clicks-2020-01-01.jsonl.bak', 'clicks-2020-01.jsonl'],
    ];
    const old = dated([29, 30, 31, 400]);
    for (const name of [...others, ...old]) writeFileSync(join(dataDir, name), '');
    const site = await startApp({ dataDir, site: { clickRetentionDays } });
    await site.close();
    const left = readdirSync(dataDir).filter((name) => [...others, ...old].includes(name));
    expect(left.sort()).toEqual([...others, ...dated(kept)].sort());
  },
);
