import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import { storeClicks } from '../../../server/clicks/store-clicks.ts';
import { DAY_MS, MINUTE_MS } from '../../../server/time.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { clickRow } from '../../helpers/server/rows.ts';
import { makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';

/** As many clicks as one step of the numbers. */
async function clickTenTimes(site: Site, parts: Record<string, unknown> = {}): Promise<void> {
  for (let n = 0; n < TENS; n += 1) await site.postClick(makeBody(parts));
}
const readStats = async ({ app }: Site) => (await app.inject('/api/stats')).json();

const TENS = 10;
const LOWER = 'lower_cta_click';
const NONE = Object.fromEntries(CTA_EVENTS.map((event) => [event, 0]));
/** Numbers of clicks as the answer shows them. */
const counts = (hero: number, lower: number, total = hero + lower) => ({
  total,
  by_event: { ...NONE, hero_cta_click: hero, lower_cta_click: lower },
});

describe.each(DATABASES)('GET /api/stats on $name', ({ makeEnv }) => {
  test('counts people’s clicks of the last full five minutes, also after a restart', async () => {
    const env = await makeEnv();
    let at = Date.parse('2026-11-23T12:01:00Z');
    const now = () => at;
    const site = await startApp({ env, now });
    const shown = async (from: Site) => (await readStats(from)).clicks;
    expect(await shown(site)).toMatchObject(counts(0, 0));

    const robot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
    for (const parts of [{}, {}, { event: 'lower_cta_click' }, { event: 'middle_cta_click' }])
      await clickTenTimes(site, parts);
    await clickTenTimes(site, { user_agent: robot });
    await clickTenTimes(site, { event: 'none' });
    // With live counts, polling would tell whether a person has pressed a button.
    at += 4 * MINUTE_MS - 1;
    expect(await shown(site)).toMatchObject(counts(0, 0));
    at += 1;
    expect(await shown(site)).toMatchObject(counts(20, 10, 40));
    await clickTenTimes(site);
    expect(await shown(site)).toMatchObject(counts(20, 10, 40));
    await site.close();

    at += 5 * MINUTE_MS;
    const again = await startApp({ env, now, dataDir: site.config.dataDir });
    expect(await shown(again)).toMatchObject(counts(30, 10, 50));
  });

  test('has the counts of the period’s start, although nobody has asked for them then', async () => {
    let at = Date.parse('2026-11-23T12:01:00Z');
    const site = await startApp({ env: await makeEnv(), now: () => at, jobs: [] });
    expect(await site.step('stats')).toBe(false);
    await clickTenTimes(site);
    at += 4 * MINUTE_MS;
    await site.step('stats');
    await clickTenTimes(site);
    expect((await readStats(site)).clicks).toMatchObject(counts(10, 0));
  });

  test('has each of the last 30 days by the server’s clock, and older ones in the total', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const site = await startApp({ env: await makeEnv() });
    for (const [time, event] of [
      ['2026-01-31T23:59:00Z', 'hero_cta_click'],
      ['2026-02-01T00:00:00Z', 'hero_cta_click'],
      ['2026-03-01T00:00:00Z', 'hero_cta_click'],
      ['2026-03-01T23:59:00Z', 'lower_cta_click'],
    ] as const) {
      vi.setSystemTime(time);
      await clickTenTimes(site, { event });
    }
    vi.setSystemTime('2026-03-02T12:00:00Z');
    const stats = await readStats(site);
    const { per_day } = stats.clicks;
    expect(stats).toEqual({
      clicks: { ...counts(30, 10), per_day: expect.any(Array) },
      registrations: { total: null },
    });
    expect(per_day).toHaveLength(30);
    expect(per_day[0]).toEqual({ day: '2026-02-01', ...counts(10, 0) });
    expect(per_day[28]).toEqual({ day: '2026-03-01', ...counts(10, 10) });
    expect(per_day[29]).toEqual({ day: '2026-03-02', ...counts(0, 0) });
  });

  test('rounds each number of clicks down to tens by itself, so that no small number follows from them', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const site = await startApp({ env: await makeEnv() });
    // Two days, both below the next ten, that together reach it.
    for (const [time, hero, lower] of [
      ['2026-03-01T12:00:00Z', 19, 9],
      ['2026-03-02T12:00:00Z', 1, 15],
    ] as const) {
      vi.setSystemTime(time);
      await site.data.db.transaction(
        storeClicks,
        [
          ...Array.from({ length: hero }, () => clickRow(Date.now())),
          ...Array.from({ length: lower }, () => clickRow(Date.now(), { event: LOWER })),
        ],
        { server: 'before', toPosthog: false },
        Date.now(),
      );
    }
    vi.setSystemTime('2026-03-02T12:06:00Z');
    const { clicks } = await readStats(site);
    const [first, second] = clicks.per_day.slice(-2);
    expect(clicks).toMatchObject(counts(20, 20, 40));
    expect(first).toMatchObject(counts(10, 0, 20));
    expect(second).toMatchObject(counts(0, 10, 10));
  });

  test('shows registrations in tens, from a hundred on, as of the start of the day', async () => {
    let at = Date.parse('2026-11-23T12:01:00Z');
    const site = await startApp({ env: await makeEnv(), now: () => at });
    const add = async (n: number, time: number) => {
      const ids = Array.from({ length: n }, () => randomUUIDv7());
      const rows = ids.map((id) => `('${id}', ${time}, '${id}', '', 'k', '', ${time})`);
      await execute(site.config, `INSERT INTO registrations VALUES ${rows}`);
    };
    const shown = async () => (await readStats(site)).registrations.total;
    await add(99, at - DAY_MS);
    expect(await shown()).toBeNull();
    // A live number would reveal whether an address is new.
    await add(28, at);
    at += 5 * MINUTE_MS;
    expect(await shown()).toBeNull();
    await add(1, at - DAY_MS);
    at += 5 * MINUTE_MS;
    expect(await shown()).toBe(100);
    at += DAY_MS;
    await add(5, at);
    expect(await shown()).toBe(120);
  });
});
