/** What one address, and all together, may add to the database in a minute and in a day. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { VIEW_PATH } from '#contract/limits.ts';
import { createBudgets } from '../../../server/http/budgets.ts';
import { detectDevice, makePosthogEvent } from '../../../server/posthog/make-event.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../server/time.ts';
import { browserEvent, PAGE_URL, VISIT } from '../../helpers/fakes/browser-event.ts';
import { pageView } from '../../helpers/fakes/page-view.ts';
import { postPerson } from '../../helpers/server/registrations.ts';
import { visitRow } from '../../helpers/server/rows.ts';
import { BROWSER, makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';

const START = Date.parse('2026-03-01T10:30:20Z');

const views = (count: number) => Array.from({ length: count }, () => pageView());

describe('through the server', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
  afterEach(() => void vi.useRealTimers());

  /** Sends page views, until one is refused. */
  const post = async ({ postClick }: Site, sent: object[], address = '198.51.100.1') => {
    for (const view of sent) {
      const answer = await postClick(view, { 'x-forwarded-for': address }, VIEW_PATH);
      if (answer.statusCode !== 200) return [answer.statusCode, answer.headers['retry-after']];
    }
    return 'taken';
  };
  const stored = async ({ rows }: Site) => [
    (await rows('SELECT id FROM visits')).length,
    (await rows('SELECT uuid FROM posthog_outbox WHERE event IS NOT NULL')).length,
  ];
  // A tenth of the default: 12 page views a minute, and 600 a day.
  const start = () => startApp({ env: { RATE_LIMIT: '60', TRUST_PROXY: '1' } });

  test('an address over its budget of the minute gets 503 until the next minute, and nothing of its request is stored', async () => {
    const site = await start();
    expect(await post(site, views(12))).toBe('taken');
    expect(await post(site, views(1))).toEqual([503, '40']);
    expect(await stored(site)).toEqual([12, 12]);
    expect(await post(site, views(1), '198.51.100.2'), 'another address').toBe('taken');
    const click = await site.postClick(makeBody(), { 'x-forwarded-for': '198.51.100.1' });
    expect(click.statusCode, 'a click has no such budget').toBe(200);
    vi.setSystemTime(START + 40 * SECOND_MS);
    expect(await post(site, views(1))).toBe('taken');
    expect(await stored(site)).toEqual([14, 14]);
  });

  test('an address over its budget of the day gets 503 until midnight (UTC)', async () => {
    // One page view a minute, and 50 a day.
    const site = await startApp({ env: { RATE_LIMIT: '5', TRUST_PROXY: '1' } });
    for (let minute = 0; minute < 50; minute += 1) {
      vi.setSystemTime(START + minute * MINUTE_MS);
      expect(await post(site, views(1))).toBe('taken');
    }
    vi.setSystemTime(START + HOUR_MS);
    const untilMidnight = Date.parse('2026-03-02T00:00:00Z') - START - HOUR_MS;
    expect(await post(site, views(1))).toEqual([503, String(untilMidnight / SECOND_MS)]);
    expect(await stored(site)).toEqual([50, 50]);
    vi.setSystemTime('2026-03-02T00:00:00Z');
    expect(await post(site, views(1))).toBe('taken');
  });

  test('the event of a page view is in the budget of events too', async () => {
    const site = await start();
    expect(await post(site, [pageView()], '127.0.0.1')).toBe('taken');
    const postEvents = async (count: number) => {
      const batch = Array.from({ length: count }, () => browserEvent());
      return (await site.postEvents({ api_key: 'phc_test', batch })).statusCode;
    };
    // 120 events a minute.
    const answers = [await postEvents(60), await postEvents(59), await postEvents(1)];
    expect(answers).toEqual([200, 200, 503]);
    expect(await stored(site)).toEqual([1, 120]);
  });

  test('a page view that the budget of events refuses leaves the budget of page views as it was', async () => {
    const site = await start();
    for (const count of [100, 20]) {
      const batch = Array.from({ length: count }, () => browserEvent());
      expect((await site.postEvents({ api_key: 'phc_test', batch })).statusCode).toBe(200);
    }
    for (const view of views(12))
      expect(await post(site, [view], '127.0.0.1')).toEqual([503, '40']);
    // The view of a robot has no event.
    const robot = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
    for (const view of views(12))
      expect((await site.postClick(view, robot, VIEW_PATH)).statusCode).toBe(200);
  });

  test('an address has a budget of registrations a day, and a smaller one of mails', async () => {
    const site = await startApp({ env: { RATE_LIMIT: '6' } });
    const register = async (name: string, minute: number) => {
      vi.setSystemTime(START + minute * MINUTE_MS);
      return postPerson(site, { email: `${name}@example.org` });
    };
    expect((await register('ana', 0)).statusCode).toBe(201);
    expect((await register('bo', 1)).statusCode).toBe(201);
    const refused = await register('cleo', 2);
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      503,
      'Too many registrations from this address. Try again later.',
    ]);
    expect(await site.rows('SELECT id FROM registrations')).toHaveLength(2);
    expect(await site.rows('SELECT turn, due_at FROM mail_outbox ORDER BY turn')).toEqual([
      { turn: 0, due_at: START },
      { turn: 1, due_at: Date.parse('2026-03-02T00:00:00Z') },
    ]);
  });
});

/** Budgets by a clock of the test, with the default RATE_LIMIT. */
function open({ limit = 600, mostAddresses = 50_000, free = true } = {}) {
  const clock = { now: START };
  const said: string[] = [];
  const budgets = createBudgets({
    limit,
    reserve: { check: async () => {}, whyOnlyClicks: async () => (free ? null : 'low') },
    log: { warn: (text: unknown) => void said.push(String(text)) },
    now: () => clock.now,
    mostAddresses,
  });
  /** Spends, and returns whether there was room. */
  const isTaken = (kind: 'visits' | 'events' | 'registrations', ip: string, rows: object[]) =>
    budgets.spend(ip, { [kind]: rows }).then(
      () => true,
      ({ statusCode }) => statusCode !== 503,
    );
  return { clock, said, budgets, isTaken };
}

const ROW = visitRow(START, { referrer: 'clinic-7', utm_source: 'leaflet', page: '/help/start' });

test('a hospital with 2,000 visits and 300 presses a day behind one address stays below every budget', async () => {
  const { clock, isTaken } = open();
  const event = makePosthogEvent({
    uuid: VISIT,
    event: 'section_viewed',
    visit_id: VISIT,
    timestamp: new Date(START).toISOString(),
    page_url: PAGE_URL,
    device: detectDevice(BROWSER),
    own: {},
  });
  // Bursts of 17 a minute, and pauses.
  for (let visit = 0; visit < 2000; visit += 1) {
    clock.now += visit % 10 < 8 ? 3_600 : 43_200;
    for (let view = 0; view < 3; view += 1)
      expect(await isTaken('visits', '192.0.2.1', [ROW]), `visit ${visit}`).toBe(true);
    expect(await isTaken('events', '192.0.2.1', Array(15).fill(event)), `visit ${visit}`).toBe(
      true,
    );
  }
  expect(clock.now - START).toBeLessThan(DAY_MS / 2);
});

test.each([
  ['visits', 6_000, 300_000],
  ['events', 30_000, 300_000],
  ['registrations', 200, 18_000],
] as const)(
  'of %s an address adds at most %i a day, and all addresses %i',
  async (kind, most, all) => {
    const { clock, said, budgets, isTaken } = open();
    // The smallest request that an address cannot send a hundred times in a minute.
    const rows = Array(kind === 'registrations' ? 1 : 20).fill({});
    const flood = async (address: string, room: number): Promise<number> => {
      let taken = 0;
      for (clock.now = START; taken < Math.min(most, room); clock.now += MINUTE_MS)
        while (await isTaken(kind, address, rows)) taken += rows.length;
      expect(clock.now).toBeLessThanOrEqual(START + HOUR_MS);
      expect(await isTaken(kind, address, rows), 'in the next minute').toBe(false);
      return taken;
    };
    expect(await flood('192.0.2.0', all)).toBe(most);
    expect(await budgets.reasons()).toEqual([]);
    let total = most;
    for (let n = 1; total < all; n += 1) total += await flood(`192.0.2.${n}`, all - total);
    expect(total).toBe(all);
    expect(await isTaken(kind, '198.51.100.1', [{}])).toBe(false);
    const sentence = `The ${kind} of all addresses have used up the budget of the day. Further ones get 503 until midnight (UTC). RATE_LIMIT sets the budgets.`;
    expect(await budgets.reasons()).toEqual([sentence]);
    expect(said).toEqual([sentence]);
    clock.now = START + DAY_MS;
    expect(await budgets.reasons()).toEqual([]);
    expect(await isTaken(kind, '198.51.100.1', [{}])).toBe(true);
  },
);

test('long rows use up a budget sooner, because it counts bytes too', async () => {
  const { isTaken } = open();
  const row = { ...ROW, page: `/${'x'.repeat(2047)}` };
  let taken = 0;
  while (await isTaken('visits', '192.0.2.1', [row])) taken += 1;
  expect(taken).toBeGreaterThan(40);
  expect(taken).toBeLessThan(60);
});

test('an IPv6 /56 is one address, and a request is taken whole or not at all', async () => {
  const { isTaken } = open();
  expect(await isTaken('visits', '2001:db8:1:2200::1', Array(100).fill({}))).toBe(true);
  expect(await isTaken('visits', '2001:db8:1:22ff::1', Array(21).fill({}))).toBe(false);
  expect(await isTaken('visits', '2001:db8:1:22ff::1', Array(20).fill({}))).toBe(true);
});

test('a flood of addresses takes a bounded memory: the server forgets those that have been silent longest', async () => {
  const { isTaken } = open({ mostAddresses: 3 });
  const fill = (n: number) => isTaken('visits', `192.0.2.${n}`, Array(120).fill({}));
  for (const n of [1, 2, 3]) expect(await fill(n)).toBe(true);
  expect(await fill(1)).toBe(false);
  expect(await fill(4)).toBe(true);
  expect(await fill(1), 'has sent more lately than the second').toBe(false);
  expect(await fill(2)).toBe(true);
});

test('without RATE_LIMIT there are no budgets', async () => {
  const { isTaken } = open({ limit: 0 });
  expect(await isTaken('visits', '192.0.2.1', Array(100_000).fill({}))).toBe(true);
});
