/** A database or a log that does not take clicks for a while, and the log's days. Nothing acknowledged is lost. */
import { randomUUIDv7 as newId } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { v7 } from 'uuid';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Click } from '../../../server/clicks/click.ts';
import { dayOf } from '../../../server/time.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
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

test('clicks wait for a busy database; above a bound they get 503, and then all are kept', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '0' }, maxWaitingClicks: 100 });
  await site.postClick(makeBody());
  const [row] = await site.rows('SELECT * FROM clicks');
  const release = lock(site);
  const fill = (n: number) =>
    Array.from({ length: n }, () => site.data.recorder.record({ ...(row as Click), id: newId() }));
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

test('a database that stays locked: 503, pages answer, no click counts twice, and clicks are kept again without a restart', async () => {
  const site = await startApp();
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
  // On a busy machine the refused click may still have waited for the lock, and is then there already.
  await expect.poll(again, { timeout: 15_000 }).toMatch(/^(logged|duplicate)$/);
  expect(await again()).toBe('duplicate');
  expect(await site.rows('SELECT n FROM click_counts')).toEqual([{ n: 1 }]);
  expect((await site.app.inject('/readyz')).statusCode).toBe(200);
  const said = site.logged().map(({ msg }) => String(msg));
  expect(said.filter((msg) => msg.startsWith('Clicks cannot be kept:'))).toHaveLength(1);
  expect(said).toContain('Clicks are kept again');
});

test('a log that cannot be written: 503, and the repeated click has its line later', async () => {
  const site = await startApp();
  // Nothing can be appended to a folder.
  const folder = join(site.config.dataDir, `clicks-${dayOf(Date.now())}.jsonl`);
  mkdirSync(folder);
  const id = newId();
  expect((await site.postClick(makeBody({ id }))).statusCode).toBe(503);
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

test.each(DATABASES)(
  'a value that $name refuses costs no other click of its group',
  async ({ makeEnv }) => {
    const site = await startApp({ env: await makeEnv() });
    await site.postClick(makeBody());
    const [row] = await site.rows('SELECT * FROM clicks');
    // The contract lets no such value through today.
    const group = [{}, { event: null as never }, {}].map((wrong) => ({
      ...(row as Click),
      id: newId(),
      ...wrong,
    }));
    const results = await Promise.allSettled(group.map(site.data.recorder.record));
    const refused = { reason: { statusCode: 400, code: 'validation_failed' } };
    expect(results).toMatchObject([{ value: 'logged' }, refused, { value: 'logged' }]);
    expect(await site.rows('SELECT id FROM clicks')).toHaveLength(3);
    expect(await site.rows('SELECT n FROM click_counts')).toEqual([{ n: 3 }]);
    expect(site.lines()).toHaveLength(3);
  },
);
