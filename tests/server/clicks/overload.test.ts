/**
 * A database or a log that does not take clicks for a while, and the log's days. Nothing
 * acknowledged is lost.
 */
import { randomUUIDv7 as newId } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { v7 } from 'uuid';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { NewClickRow } from '../../../server/clicks/click.ts';
import { dayOf } from '../../../server/time.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { clickRow } from '../../helpers/server/rows.ts';
import { ADMIN_PASSWORD, scrape } from '../../helpers/server/scrape.ts';
import { makeBody, makeDataDir, type Site, startApp } from '../../helpers/server/server-app.ts';

/** Locks the database as another process does. @returns a function that releases it */
function lock({ config }: Site): () => void {
  const other = new DatabaseSync(config.files.database, { timeout: 5000 });
  onTestFinished(() => {
    if (other.isOpen) other.close();
  });
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

const untilReady = ({ app }: Site) =>
  expect.poll(async () => (await app.inject('/readyz')).statusCode).toBe(200);

test('clicks wait for a busy database; above a bound they get 503, and then all are kept', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '0' }, maxWaitingClicks: 100 });
  await site.postClick(makeBody());
  const [row] = await site.rows('SELECT * FROM clicks');
  const release = lock(site);
  const fill = (n: number) =>
    Array.from({ length: n }, () =>
      site.data.recorder.record({ ...(row as NewClickRow), id: newId() }),
    );
  const first = fill(1);
  // The first group is under way. The rest waits.
  await new Promise(setImmediate);
  const waiting = [...first, ...fill(100)];
  const refused = await site.postClick(makeBody());
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
  expect(refused.json().error.code).toBe('unavailable');
  expect((await site.app.inject('/readyz')).statusCode).toBe(200);
  release();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['logged']));
  const [counted] = await site.rows('SELECT SUM(n) AS n FROM click_counts');
  expect(counted).toEqual({ n: 102 });
  expect(site.lines()).toHaveLength(102);
});

test('10,000 clicks wait in groups of 500, and one more is refused', async () => {
  // No time passes, so that no click has waited for too long.
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  const site = await startApp({ env: { ADMIN_PASSWORD } });
  const clicks = Array.from({ length: 10_001 }, () => clickRow(Date.now()));
  const results = await Promise.allSettled(clicks.map(site.data.recorder.record));
  expect(results.slice(0, -1).filter(({ status }) => status === 'rejected')).toEqual([]);
  const reason = new Error('Too many requests wait for the database');
  expect(results.at(-1)).toEqual({ status: 'rejected', reason });
  expect((await scrape(site)).site_commit_duration_seconds_count).toBe(20);
});

test.each([
  { name: 'has waited for 3.8 s still waits', ms: 3_800, message: 'database is locked' },
  { name: 'has waited for longer is refused', ms: 4_000, message: 'has not answered in time' },
])('a click that $name', async ({ ms, message }) => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  const site = await startApp();
  lock(site);
  // SQLite gives up after 2 s of the real clock.
  const recorded = site.data.recorder.record(clickRow(Date.now()));
  vi.advanceTimersByTime(ms);
  await expect(recorded).rejects.toThrow(message);
});

test('a database that stays locked: 503, pages answer, no click counts twice, and clicks are kept again without a restart', async () => {
  const site = await startApp();
  // Otherwise /readyz answers 503 because nothing was written yet.
  await untilReady(site);
  const id = v7();
  const release = lock(site);
  const refused = await site.postClick(makeBody({ id }));
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
  for (const [url, status] of [
    ['/', 200],
    ['/api/stats', 200],
    ['/livez', 200],
  ] as const)
    expect([url, (await site.app.inject(url)).statusCode]).toEqual([url, status]);
  await expect.poll(async () => (await site.app.inject('/readyz')).statusCode).toBe(503);
  release();
  const again = async () => (await site.postClick(makeBody({ id }))).json().status;
  // On a busy machine the refused click may still have waited for the lock, and is then there
  // already.
  await expect.poll(again, { timeout: 15_000 }).toMatch(/^(logged|duplicate)$/);
  expect(await again()).toBe('duplicate');
  expect(await site.rows('SELECT n FROM click_counts')).toEqual([{ n: 1 }]);
  expect((await site.app.inject('/readyz')).statusCode).toBe(200);
  const said = site.logged().map(({ msg }) => String(msg));
  expect(said.filter((msg) => msg.startsWith('Clicks cannot be kept:'))).toHaveLength(1);
  expect(said).toContain('Clicks are kept again');
});

test('after a fault the server tries at once whether it can write', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const site = await startApp();
  await untilReady(site);
  // Without the probe of every five seconds.
  vi.clearAllTimers();
  const release = lock(site);
  const refused = await site.postClick(makeBody());
  expect(refused.statusCode).toBe(503);
  release();
  await untilReady(site);
  expect((await site.postClick(makeBody())).statusCode).toBe(200);
});

test('a server that stores clicks needs no probe', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
  const site = await startApp();
  const probedAt = () => site.rows('SELECT at FROM probes');
  await site.data.health.probe();
  const before = await probedAt();
  vi.advanceTimersByTime(4_000);
  await site.postClick(makeBody());
  vi.advanceTimersByTime(1_000);
  // A probe would be before this click.
  await site.postClick(makeBody());
  expect(await probedAt()).toEqual(before);
});

test('while nothing can be written, a click is refused before it reaches the database', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const site = await startApp();
  await untilReady(site);
  site.data.health.failed(new Error('no space left on device'));
  expect((await site.postClick(makeBody())).statusCode).toBe(503);
  expect(await site.rows('SELECT id FROM clicks')).toEqual([]);
});

test('a log that cannot be written: 503, and the repeated click has its line later', async () => {
  const site = await startApp();
  // Nothing can be appended to a folder.
  const folder = join(site.config.dataDir, `clicks-${dayOf(Date.now())}.jsonl`);
  mkdirSync(folder);
  const id = newId();
  expect((await site.postClick(makeBody({ id }))).statusCode).toBe(503);
  expect((await site.app.inject('/readyz')).statusCode).toBe(503);
  rmdirSync(folder);
  const again = async () => (await site.postClick(makeBody({ id }))).json().status;
  await expect.poll(again, { timeout: 15_000 }).toBe('duplicate');
  expect(site.lines()).toMatchObject([{ id, duplicate: true }]);
  expect(await site.rows('SELECT n FROM click_counts')).toEqual([{ n: 1 }]);
});

test('each day (UTC) has its own file, and half a line of a killed server spoils no other line', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const dataDir = makeDataDir();
  const fileOf = (day: string) => join(dataDir, `clicks-${day}.jsonl`);
  vi.setSystemTime('2026-01-31T23:59:59.999Z');
  writeFileSync(fileOf('2026-01-31'), '{"level":30,"id":"01');
  const site = await startApp({ dataDir });
  const ids = [v7({ msecs: Date.now() }), v7({ msecs: Date.now() })];
  await site.postClick(makeBody({ id: ids[0] }));
  await site.postClick(makeBody({ id: ids[1] }));
  vi.setSystemTime('2026-02-01T00:00:00Z');
  await site.postClick(makeBody({ id: ids[1] }));
  const [torn, ...lines] = readFileSync(fileOf('2026-01-31'), 'utf8').trim().split('\n');
  expect(torn).toBe('{"level":30,"id":"01');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids);
  expect(JSON.parse(readFileSync(fileOf('2026-02-01'), 'utf8'))).toMatchObject({
    id: ids[1],
    duplicate: true,
  });
});

/** The contract lets no such value through today. */
const WRONG_VALUES: { column: string; only?: string; wrong: object }[] = [
  { column: 'event', wrong: { event: null } },
  { column: 'seq', only: 'SQLite', wrong: { seq: 'one' } },
  { column: 'seq', only: 'PostgreSQL', wrong: { seq: 2 ** 40 } },
];

test.each(
  DATABASES.flatMap((database) =>
    WRONG_VALUES.filter(({ only = database.name }) => only === database.name).map((value) => ({
      ...database,
      ...value,
    })),
  ),
)(
  'a value of $column that $name refuses costs no other click of its group',
  async ({ makeEnv, wrong }) => {
    const site = await startApp({ env: await makeEnv() });
    await site.postClick(makeBody());
    const [row] = await site.rows('SELECT * FROM clicks');
    const group = [{}, wrong, {}].map((parts) => ({
      ...(row as NewClickRow),
      id: newId(),
      ...parts,
    }));
    const results = await Promise.allSettled(group.map(site.data.recorder.record));
    const refused = { reason: { name: 'DatabaseFault' } };
    expect(results).toMatchObject([{ value: 'logged' }, refused, { value: 'logged' }]);
    expect(await site.rows('SELECT id FROM clicks')).toHaveLength(3);
    expect(await site.rows('SELECT n FROM click_counts')).toEqual([{ n: 3 }]);
    expect(site.lines()).toHaveLength(3);
  },
);

/** Makes the database refuse a click with this ref. */
const REFUSE_REF: Record<string, string> = {
  SQLite: `CREATE TRIGGER refuse BEFORE INSERT ON clicks WHEN NEW.referrer = 'refused'
    BEGIN SELECT RAISE(ABORT, 'refused'); END`,
  PostgreSQL: `ALTER TABLE clicks ADD CHECK (referrer <> 'refused')`,
};

test.each(DATABASES)(
  'a click whose value $name refuses is answered 400, and those beside it 200',
  async ({ name, makeEnv }) => {
    const site = await startApp({ env: await makeEnv() });
    await execute(site.config, REFUSE_REF[name] ?? '');
    const refs = ['clinic-7', 'refused', 'clinic-8'];
    const sent = refs.map((referrer) => site.postClick(makeBody({ referrer })));
    const answers = await Promise.all(sent);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400, 200]);
    expect(answers[1]?.json().error.code).toBe('validation_failed');
    expect(await site.rows('SELECT id FROM clicks')).toHaveLength(2);
    expect((await site.app.inject('/readyz')).statusCode).toBe(200);
    const said = site.logged().map(({ msg }) => String(msg));
    expect(said).toContain('The database refuses a value of a click');
    expect(said.filter((msg) => msg.startsWith('Clicks cannot be kept'))).toEqual([]);
  },
);
