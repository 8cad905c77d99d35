import { rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import { statsSchema } from '#contract/stats.schema.ts';
import { report } from '../../../cli/report.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
type Site = Awaited<ReturnType<typeof startApp>>;

const click = (site: Site, parts: Record<string, unknown> = {}) =>
  site.app.inject({ method: 'POST', url: '/api/log-cta', payload: makeBody(parts) });
const readStats = async (site: Site) =>
  statsSchema.strict().parse((await site.app.inject('/api/stats')).json());

const NONE = Object.fromEntries(CTA_EVENTS.map((event) => [event, 0]));
const counts = (hero: number, lower: number) => ({
  total: hero + lower,
  by_event: { ...NONE, hero_cta_click: hero, lower_cta_click: lower },
});

test('counts each click once per call to action, also after restarts', async () => {
  const site = await startApp();
  expect((await readStats(site)).clicks).toMatchObject(counts(0, 0));

  const id = '019c1234-5678-7abc-8def-0123456789ab';
  for (const parts of [{ id }, { id }, {}, { event: 'lower_cta_click' }, { event: 'none' }]) {
    await click(site, parts);
  }
  expect((await readStats(site)).clicks).toMatchObject(counts(2, 1));

  await site.close();
  const again = await startApp({ dataDir: site.config.dataDir });
  expect((await readStats(again)).clicks).toMatchObject(counts(2, 1));
});

test('leaves out robots’ clicks, as the report does; the ledger keeps them', async () => {
  const robot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  const site = await startApp();
  await click(site);
  await click(site, { user_agent: robot });
  expect(site.lines().map((line) => line.is_bot)).toEqual([false, true]);
  const check = async (from: Site) => {
    const { clicks } = await readStats(from);
    expect(clicks).toMatchObject(counts(1, 0));
    expect(clicks.per_day.at(-1)).toMatchObject(counts(1, 0));
    let printed = '';
    await report([site.config.dataDir], site.config, {}, (text) => {
      printed += text;
    });
    expect(printed).toMatch(/^Clicks +1$/m);
    expect(printed).toMatch(/^Robots +1 /m);
  };
  await check(site);
  await site.close();
  // First from the counters on the disk, then from the ledger.
  const again = await startApp({ dataDir: site.config.dataDir });
  await check(again);
  await again.close();
  rmSync(site.config.files.clickIndex);
  await check(await startApp({ dataDir: site.config.dataDir }));
});

test('has each of the last 30 days by the server’s clock, also after restarts', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime('2026-02-01T23:59:00Z');
  const site = await startApp();
  await click(site);
  vi.setSystemTime('2026-03-01T00:00:00Z');
  await click(site);
  await click(site, { event: 'lower_cta_click' });
  vi.setSystemTime('2026-03-02T12:00:00Z');

  const check = async (from: Site) => {
    const { per_day, total } = (await readStats(from)).clicks;
    expect(per_day).toHaveLength(30);
    expect(per_day[0]).toEqual({ day: '2026-02-01', ...counts(1, 0) });
    expect(per_day[1]).toEqual({ day: '2026-02-02', ...counts(0, 0) });
    expect(per_day.slice(-2)).toEqual([
      { day: '2026-03-01', ...counts(1, 1) },
      { day: '2026-03-02', ...counts(0, 0) },
    ]);
    expect(total).toBe(3);
  };
  await check(site);
  await site.close();
  await check(await startApp({ dataDir: site.config.dataDir }));
  vi.useRealTimers();
});

test('shows registrations in tens, from a hundred on, as of the start of the day', async () => {
  const site = await startApp();
  const db = new DatabaseSync(site.config.files.registrations);
  const insert = db.prepare('INSERT INTO registrations VALUES (?, ?, ?, ?, ?)');
  let count = 0;
  const add = (n: number, time: number) => {
    for (; n > 0; n -= 1) {
      count += 1;
      const bytes = Buffer.from(`${count}`.padStart(32));
      insert.run(`${count}`, new Date(time).toISOString(), bytes, 'k', bytes);
    }
  };
  const yesterday = Date.now() - DAY_MS;
  const shownOnDay = async (day: number) => {
    vi.setSystemTime(Date.now() + day * DAY_MS);
    return (await readStats(site)).registrations.total;
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  add(99, yesterday);
  expect(await shownOnDay(0)).toBeNull();
  add(28, yesterday);
  // A live number would reveal whether an address is new.
  expect(await shownOnDay(0)).toBeNull();
  add(5, Date.now() + DAY_MS);
  expect(await shownOnDay(1)).toBe(120);
  db.close();
  vi.useRealTimers();
});

test('answers 304 when nothing changed', async () => {
  const site = await startApp();
  const ask = (tag: string) =>
    site.app.inject({ url: '/api/stats', headers: { 'if-none-match': tag } });
  const first = await site.app.inject('/api/stats');
  const tag = String(first.headers.etag);
  expect(tag).toMatch(/^".+"$/);
  expect(first.headers['cache-control']).toBe('no-cache');
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const answer = await ask(known);
    expect(answer.statusCode).toBe(304);
    expect(answer.body).toBe('');
    expect(answer.headers.etag).toBe(tag);
  }
  await click(site);
  const changed = await ask(tag);
  expect(changed.statusCode).toBe(200);
  expect(changed.headers.etag).not.toBe(tag);
});

test('is limited', async () => {
  const site = await startApp({ env: { RATE_LIMIT_OTHER: '1' } });
  await site.app.inject('/api/stats');
  const refused = await site.app.inject('/api/stats');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers).not.toHaveProperty('etag');
});

test('/healthz answers 200 while clicks can be kept', async () => {
  const { app } = await startApp();
  const answer = await app.inject('/healthz');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({ status: 'ready' });
});

describe('counts are those of the last full five minutes', () => {
  const env = { STATS_PERIOD_MIN: '5' };
  const FAKED = { toFake: ['Date', 'setInterval', 'clearInterval'] as const };
  const shown = async (site: Site) => (await readStats(site)).clicks.total;
  /** Moves the clock, and lets the server notice it. */
  const pass = (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
    vi.advanceTimersByTime(1000);
  };
  afterEach(() => void vi.useRealTimers());

  test('so that a click cannot be told by polling', async () => {
    vi.useFakeTimers({ toFake: [...FAKED.toFake] });
    vi.setSystemTime('2026-11-23T12:01:00Z');
    const site = await startApp({ env });
    expect(await shown(site)).toBe(0);
    await click(site);
    expect(await shown(site)).toBe(0);
    pass(3 * 60_000 + 58_000);
    expect(await shown(site)).toBe(0);
    pass(2000);
    await expect.poll(() => shown(site)).toBe(1);
    await click(site, { event: 'lower_cta_click' });
    expect(await shown(site)).toBe(1);
    // A restart within the five minutes publishes nothing new, and loses nothing.
    await site.close();
    const again = await startApp({ env, dataDir: site.config.dataDir });
    expect(await shown(again)).toBe(1);
    pass(5 * 60_000);
    await expect.poll(() => shown(again)).toBe(2);
  });

  test('and a damaged file of them is only read again from the index', async () => {
    const site = await startApp({ env });
    await click(site);
    await site.close();
    writeFileSync(site.config.files.publishedCounts, '{"period":');
    const again = await startApp({ env, dataDir: site.config.dataDir });
    expect(await shown(again)).toBe(1);
  });
});
