/**
 * Each acknowledged click that PostHog may have is at PostHog once. retries.test.ts has the answers
 * that store nothing.
 */
import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { EVENTS } from '#contract/events.ts';
import { VISIT_PROPERTIES } from '../../../server/posthog/visit-properties.ts';
import { browserEvent, PAGE_URL, VISIT } from '../../helpers/fakes/browser-event.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { startPosthogSite } from '../../helpers/server/posthog-site.ts';
import { ADMIN_PASSWORD, readReasons, scrape } from '../../helpers/server/scrape.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const CAMPAIGN = { utm_source: 'cure-sma', utm_medium: 'email', utm_campaign: 'spring.2026' };
const NONE: never[] = [];

describe.each(DATABASES)('$name', ({ name, makeEnv }) => {
  /** Starts a server whose sender runs when the test calls it. */
  const start = async (options: Parameters<typeof startPosthogSite>[0] = {}) =>
    startPosthogSite({ jobs: [], env: await makeEnv(), ...options });

  test('a click’s event has every property of the tracking plan, made from the click’s row', async () => {
    const { click, capture, send } = await start();
    const id = await click({
      visit_id: VISIT,
      timestamp: '2026-11-22T10:00:00.123Z',
      page_url: `${PAGE_URL}?ref=clinic-7&utm_source=cure-sma#benefits`,
      user_agent: IPHONE,
      campaign: CAMPAIGN,
      referring_domain: 'www.google.com',
      screen_class: 'small',
    });
    await send();
    expect(capture.events).toHaveLength(1);
    const [{ properties, ...event }] = capture.events as [(typeof capture.events)[0]];
    const { $lib, $lib_version, ...planned } = properties;
    expect(event).toMatchObject({
      uuid: id,
      event: 'cta_click',
      distinct_id: VISIT,
      token: 'phc_test',
      timestamp: '2026-11-22T10:00:00.123Z',
    });
    expect(planned).toEqual({
      ref_key: 'clinic-7',
      referrer: 'clinic-7',
      visit_id: VISIT,
      $session_id: VISIT,
      $referring_domain: 'search',
      referring_class: 'search',
      referring_site: null,
      ...CAMPAIGN,
      utm_content: null,
      utm_term: null,
      $browser: 'Mobile Safari',
      $os: 'iOS',
      $device_type: 'Mobile',
      screen_class: 'small',
      is_automated: false,
      $host: 'site.example',
      $pathname: '/',
      $current_url: PAGE_URL,
      $raw_user_agent: IPHONE,
      $process_person_profile: false,
      $ip: '192.0.2.0',
      $geoip_disable: true,
      category: 'CTA',
      label: 'hero_button',
      value: 1,
      event_id: id,
    });
    const plan = { ...VISIT_PROPERTIES, ...EVENTS.cta_click };
    expect(Object.keys(planned).sort()).toEqual(Object.keys(plan).sort());
  });

  test('PostHog never gets a private visitor, a robot, the team or an unknown button, neither at once nor later', async () => {
    const { click, capture, arrived, outbox, resend, sendAll } = await start();
    await click({}, { 'sec-gpc': '1' });
    await click({}, { dnt: '1' });
    await click({}, { 'user-agent': ROBOT });
    await click({ is_internal: true });
    await click({ event: 'side_cta_click' });
    // A program has no visit, so its click's id is the visitor's.
    const other = await click();
    await sendAll();
    expect(capture.events).toMatchObject([{ uuid: other, distinct_id: other }]);
    await resend();
    await sendAll();
    expect(await outbox()).toEqual(NONE);
    expect(arrived()).toEqual([other]);
  });

  test('PostHog never gets a queued click that must not be sent any more', async () => {
    const { config, click, outbox, resend, sendAll, capture } = await start();
    const changes = [
      'is_private = true',
      'is_bot = true',
      'is_internal = true',
      'forgotten_at = 1',
      `is_known = false, event = 'side_cta_click'`,
    ];
    for (const change of changes) {
      const id = await click();
      await execute(config, `UPDATE clicks SET ${change} WHERE id = '${id}'`);
    }
    const deleted = await click();
    await execute(config, `DELETE FROM clicks WHERE id = '${deleted}'`);
    expect(await outbox()).toHaveLength(6);
    await sendAll();
    expect(await outbox()).toEqual(NONE);
    await resend();
    expect(await outbox()).toEqual(NONE);
    expect(capture.requests).toEqual(NONE);
  });

  test('a running server says once that PostHog gets no events, and once that it gets them again', async () => {
    const env = { ...(await makeEnv()), ADMIN_PASSWORD };
    const site = await start({ env, jobs: ['posthog'] });
    const { click, capture, outbox, logged } = site;
    const reasons = () => readReasons(site);
    capture.world.isDown = true;
    await click();
    await expect.poll(() => capture.requests.length).toBeGreaterThan(2);
    const fault = `${capture.url} cannot be reached`;
    expect(await reasons()).toEqual([`PostHog is behind. Events wait: 1. ${fault}`]);
    capture.world.isDown = false;
    await expect.poll(outbox).toEqual(NONE);
    // PostgreSQL shows the commit that empties the outbox before the sender hears of it.
    await expect.poll(reasons).toEqual([]);
    const messages = logged().flatMap(({ msg }) => (/PostHog/.test(`${msg}`) ? [msg] : []));
    expect(messages).toEqual([`PostHog gets no events: ${fault}`, 'PostHog gets events again']);
  });

  test('each event has its own verdict: taken, refused with a reason, or sent again', async () => {
    let passedMs = 0;
    const site = await start({
      env: { ...(await makeEnv()), ADMIN_PASSWORD },
      now: () => Date.now() + passedMs,
      senders: { events: { delays: undefined } },
    });
    const { click, capture, arrived, outbox, send } = site;
    const verdicts = ['ok', 'drop:event_too_big', 'retry:not_persisted', null, 'warning'];
    capture.play({ verdicts });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await click());
    const [ok, dropped, again, unnamed, warned] = ids;
    await send();
    // PostHog has stored the event that its answer does not name.
    expect(arrived()).toEqual([ok, unnamed, warned]);
    const [refused, ...waiting] = await outbox();
    expect(refused).toMatchObject({ uuid: dropped, refused: 'event_too_big' });
    expect(waiting).toMatchObject([{ uuid: again }, { uuid: unnamed }]);
    expect(await send()).toBe(false);
    passedMs = 31_000;
    await send();
    expect(arrived().toSorted()).toEqual([ok, again, unnamed, warned].toSorted());
    expect(await outbox()).toMatchObject([{ uuid: dropped }]);
    expect(await scrape(site)).toMatchObject({
      'site_posthog_events_total{verdict="taken"}': 4,
      'site_posthog_events_total{verdict="retried"}': 2,
      'site_posthog_events_total{verdict="refused"}': 1,
    });
  });

  test('browsers’ events that PostHog refuses are kept up to 1,000, and refused clicks all', async () => {
    const { config, capture, click, outbox, postEvents, send } = await start();
    // PostgreSQL's tables are there after the first query.
    await outbox();
    const row = (event: string) => `('${randomUUIDv7()}', ${event}, 1, 1, 1, 'old')`;
    const rows = [
      ...Array.from({ length: 1010 }, () => row("'{}'")),
      ...Array.from({ length: 3 }, () => row('NULL')),
    ];
    const columns = '(uuid, event, queued_at, due_at, attempts, refused)';
    await execute(config, `INSERT INTO posthog_outbox ${columns} VALUES ${rows}`);
    capture.play({ verdicts: ['drop:event_too_big', 'drop:event_too_big'] });
    await postEvents(browserEvent());
    await click();
    await send();
    const left = await outbox();
    expect(left.filter(({ event }) => event !== null)).toHaveLength(1000);
    expect(left.filter(({ event }) => event === null)).toHaveLength(4);
  });

  test.runIf(name === 'PostgreSQL')(
    'of two servers one sends, and the other takes over',
    async () => {
      const env = await makeEnv();
      const one = await start({ env, jobs: ['posthog'] });
      const two = await start({ env, jobs: ['posthog'], posthog: one.capture });
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
