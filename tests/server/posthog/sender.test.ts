/** Each acknowledged click that PostHog may have is at PostHog once, whatever PostHog answers. */
import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { EVENTS } from '#contract/events.ts';
import { VISIT_PROPERTIES } from '../../../server/visits/visits.ts';
import { browserEvent, PAGE_URL, VISIT } from '../../helpers/fakes/browser-event.ts';
import type { Step } from '../../helpers/fakes/posthog-capture.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { startPosthogSite } from '../../helpers/server/posthog-site.ts';
import { FAST } from '../../helpers/server/server-app.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const CAMPAIGN = { utm_source: 'cure-sma', utm_medium: 'email', utm_campaign: 'spring.2026' };
const NONE: never[] = [];

const inAMoment = () => new Date(Date.now() + 1000).toUTCString();
/** Answers that store nothing, and the fault that operators read. */
const BAD: [step: () => Step, fault: RegExp][] = [
  [() => ({ status: 429, headers: { 'retry-after': inAMoment() } }), /answered 429/],
  [() => ({ status: 500, tag: 'internal_error' }), /answered 500 \(internal_error\)/],
  [() => ({ status: 401, tag: 'invalid_api_token' }), /answered 401 \(invalid_api_token\)/],
  [() => ({ status: 402, tag: 'billing_limit_exceeded' }), /answered 402 \(billing_limit/],
  [() => ({ status: 200, body: '<html>' }), /not PostHog’s/],
  [() => ({ body: '{"results":{}}' }), /stored none/],
  [() => ({ status: 302, headers: { location: '/' } }), /answered 302/],
  [() => ({ ending: 'cut', copies: 0 }), /cannot be reached/],
  [() => ({ ending: 'half', copies: 0 }), /cannot be reached/],
  // It stored the event, but the sender cannot know that. PostHog merges the two copies.
  [() => ({ ending: 'half' }), /cannot be reached/],
];

describe.each(DATABASES)('$name', ({ name, makeEnv }) => {
  const start = async (options: Parameters<typeof startPosthogSite>[0] = {}) => {
    const env = options.env?.DATABASE_URL ? {} : await makeEnv();
    return startPosthogSite({ ...options, env: { ...env, ...options.env } });
  };

  test('a click’s event has every property of the tracking plan, made from the click’s row', async () => {
    const { click, capture } = await start();
    const id = await click({
      visit_id: VISIT,
      timestamp: '2026-11-22T10:00:00.123Z',
      page_url: `${PAGE_URL}?ref=clinic-7&utm_source=cure-sma#benefits`,
      user_agent: IPHONE,
      campaign: CAMPAIGN,
      referring_domain: 'www.google.com',
      screen_class: 'small',
    });
    await expect.poll(() => capture.events.length).toBe(1);
    const [{ properties, ...event }] = capture.events as [(typeof capture.events)[0]];
    const { $lib, $lib_version, ...planned } = properties;
    expect(event).toMatchObject({
      ...{ uuid: id, event: 'cta_click', distinct_id: VISIT, token: 'phc_test' },
      timestamp: '2026-11-22T10:00:00.123Z',
    });
    expect(planned).toEqual({
      ...{ referrer: 'clinic-7', visit_id: VISIT, $session_id: VISIT },
      ...{ $referring_domain: null, referring_class: 'search' },
      ...{ ...CAMPAIGN, utm_content: null, utm_term: null },
      ...{ $browser: 'Mobile Safari', $os: 'iOS', $device_type: 'Mobile', screen_class: 'small' },
      ...{ $host: 'www.site.example', $pathname: '/', $current_url: PAGE_URL },
      ...{ $raw_user_agent: IPHONE, $process_person_profile: false },
      ...{ $ip: '192.0.2.0', $geoip_disable: true },
      ...{ category: 'CTA', label: 'hero_button', value: 1, event_id: id },
    });
    const plan = { ...VISIT_PROPERTIES, ...EVENTS.cta_click };
    expect(Object.keys(planned).sort()).toEqual(Object.keys(plan).sort());
  });

  test('PostHog never gets a private visitor, a robot, the team or an unknown button, neither at once nor later', async () => {
    const { click, capture, arrived, outbox, resend } = await start();
    await click({}, { 'sec-gpc': '1' });
    await click({}, { dnt: '1' });
    await click({}, { 'user-agent': ROBOT });
    await click({ is_internal: true });
    await click({ event: 'side_cta_click' });
    // A program has no visit, so its click's id is the visitor's.
    const other = await click();
    await expect.poll(() => capture.events).toMatchObject([{ uuid: other, distinct_id: other }]);
    await resend();
    await expect.poll(outbox).toEqual(NONE);
    expect(arrived()).toEqual([other]);
  });

  test('PostHog never gets a queued click that must not be sent any more', async () => {
    const env = await makeEnv();
    const site = await start({ env, pace: undefined });
    const changes = [
      ...['is_private = true', 'is_bot = true', 'is_internal = true', 'forgotten_at = 1'],
      `is_known = false, event = 'side_cta_click'`,
    ];
    for (const change of changes) {
      const id = await site.click();
      await execute(site.config, `UPDATE clicks SET ${change} WHERE id = '${id}'`);
    }
    const deleted = await site.click();
    await execute(site.config, `DELETE FROM clicks WHERE id = '${deleted}'`);
    expect(await site.outbox()).toHaveLength(6);
    const { config, capture } = site;
    await site.close();
    const again = await start({ env, dataDir: config.dataDir, posthog: capture });
    await expect.poll(again.outbox).toEqual(NONE);
    await again.resend();
    expect(await again.outbox()).toEqual(NONE);
    expect(capture.requests).toEqual(NONE);
  });

  test('whatever PostHog answers, each click waits, and arrives once', async () => {
    const { click, capture, arrived, outbox, logged, posthog } = await start();
    const ids: string[] = [];
    for (const [step, fault] of BAD) {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      capture.play(step(), { until });
      ids.push(await click());
      // The next attempt waits for its answer, however many requests there were.
      await expect.poll(capture.unplayed).toBe(0);
      const state = await posthog?.state();
      expect(state).toMatchObject({ waiting: 1, fault: expect.stringMatching(fault) });
      expect(state?.oldestAt).toBeGreaterThan(Date.now() - 60_000);
      resolve();
      await expect.poll(outbox).toEqual(NONE);
      // PostgreSQL shows the commit that empties the outbox before the sender hears of it.
      const well = { waiting: 0, oldestAt: null, fault: null };
      await expect.poll(() => posthog?.state()).toMatchObject(well);
    }
    expect(arrived()).toEqual(ids);
    const messages = logged().map(({ msg }) => String(msg));
    const warnings = messages.filter((msg) => msg.startsWith('PostHog gets no events'));
    expect(warnings).toHaveLength(BAD.length);
    expect(messages).toContain('PostHog gets events again');
  });

  test('while PostHog is away, clicks wait for it in their order, and for the time of Retry-After', async () => {
    const { click, capture, arrived, posthog, outbox } = await start({
      pace: { ...FAST, batch: 2 },
    });
    capture.world.isDown = true;
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await click());
    await expect.poll(() => capture.requests.length).toBeGreaterThan(2);
    expect(await posthog?.state()).toMatchObject({ waiting: 5 });
    const until = new Date(Date.now() + 3000).toUTCString();
    capture.play({ status: 503, headers: { 'retry-after': '1' } });
    capture.play({ status: 429, headers: { 'retry-after': until } });
    capture.world.isDown = false;
    await expect.poll(outbox).toEqual(NONE);
    expect(arrived()).toEqual(ids);
    expect(capture.events).toHaveLength(5);
    const [first, second, taken] = capture.requests.slice(-5).map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(1000);
    expect(taken).toBeGreaterThanOrEqual(Date.parse(until));
  });

  test('each event has its own verdict: taken, refused with a reason, or sent again', async () => {
    const { click, capture, arrived, posthog, outbox } = await start();
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const verdicts = ['ok', 'drop:event_too_big', 'retry:not_persisted', null, 'warning'];
    capture.play({ until }, { verdicts });
    const first = await click();
    await expect.poll(() => capture.requests.length).toBe(1);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await click());
    resolve();
    const [ok, dropped, again, unnamed, warned] = ids;
    await expect.poll(() => arrived().sort()).toEqual([first, ok, again, unnamed, warned].sort());
    await expect.poll(outbox).toMatchObject([{ uuid: dropped, refused: 'event_too_big' }]);
    expect(await posthog?.state()).toMatchObject({ waiting: 0, fault: null });
  });

  test('an event that PostHog asks for again and again keeps no other one waiting', async () => {
    const { click, capture, arrived, outbox } = await start();
    const stuck = randomUUIDv7();
    capture.world.unstorable.add(stuck);
    await click({ id: stuck });
    await expect.poll(() => capture.requests.length).toBeGreaterThan(1);
    const other = await click();
    await expect.poll(arrived).toEqual([other]);
    await expect.poll(outbox).toMatchObject([{ uuid: stuck, refused: null }]);
  });

  test('an event that fails its whole batch is found by halving; the others arrive', async () => {
    const env = await makeEnv();
    const site = await start({ env, pace: undefined });
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.push(await site.click());
    const { capture, config } = site;
    await site.close();
    const [bad] = ids.splice(4, 1);
    capture.world.poisonous.add(String(bad));
    const again = await start({ env, dataDir: config.dataDir, posthog: capture });
    await expect
      .poll(again.outbox)
      .toMatchObject([{ uuid: bad, refused: 'request_parsing_error' }]);
    expect(again.arrived()).toEqual(ids);
  });

  test('browsers’ events that PostHog refuses are kept up to 1,000', async () => {
    const { config, capture, outbox, postEvents } = await start();
    // PostgreSQL's tables are there after the first query.
    await outbox();
    const rows = Array.from({ length: 1010 }, () => `('${randomUUIDv7()}', '{}', 1, 1, 1, 'old')`);
    const columns = '(uuid, event, queued_at, due_at, attempts, refused)';
    await execute(config, `INSERT INTO posthog_outbox ${columns} VALUES ${rows}`);
    capture.play({ verdicts: ['drop:event_too_big'] });
    await postEvents(browserEvent());
    await expect.poll(async () => (await outbox()).length).toBe(1000);
  });

  test.runIf(name === 'PostgreSQL')(
    'of two servers one sends, and the other takes over',
    async () => {
      const env = await makeEnv();
      const one = await start({ env });
      const two = await start({ env, posthog: one.capture });
      const ids = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).click()),
      );
      await expect.poll(() => one.arrived().sort()).toEqual(ids.sort());
      await one.close();
      const last = await two.click();
      await expect.poll(one.arrived).toContain(last);
      expect(one.capture.events).toHaveLength(21);
    },
  );
});
