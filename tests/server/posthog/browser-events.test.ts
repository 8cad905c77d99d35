/** POST /k/e/: what a page sends becomes visits and waiting events, and nothing else passes through. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { EVENTS } from '#contract/events.ts';
import { VISIT_PROPERTIES } from '../../../server/posthog/visit-properties.ts';
import { browserEvent, PAGE_URL, VISIT } from '../../helpers/fakes/browser-event.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const KEY = 'phc_test';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const CAMPAIGN = { utm_source: 'cure-sma', utm_medium: 'email', utm_campaign: 'spring.2026' };
const EVENT = browserEvent();
const OK = { status: 'Ok' };
const batchOf = (...batch: object[]) => ({ api_key: KEY, batch, sent_at: 'now' });
const pageview = (properties: object = {}) => ({
  ...browserEvent(undefined, properties),
  event: '$pageview',
});

async function start(options: Parameters<typeof startApp>[0] = {}) {
  const site = await startApp(options);
  /** The waiting events, the oldest first. */
  const waiting = async () => {
    const rows = await site.rows('SELECT event FROM posthog_outbox ORDER BY queued_at, uuid');
    return rows.map(({ event }) => JSON.parse(String(event)));
  };
  return { ...site, waiting, visits: () => site.rows('SELECT * FROM visits') };
}

describe.each(DATABASES)('$name', ({ makeEnv }) => {
  const open = async (options: Parameters<typeof startApp>[0] = {}) =>
    start({ ...options, env: { ...(await makeEnv()), ...options.env } });

  const VIEW = pageview({
    ...{ campaign: CAMPAIGN, referrer: 'clinic-\0\ud8007', referring_domain: 'www.google.com' },
    screen_class: 'small',
    $current_url: `${PAGE_URL}help/`,
  });
  const ROW = {
    id: createHash('sha256').update(VIEW.uuid).digest('hex'),
    ...{ viewed_at: expect.any(Number), page: '/help/', referrer: 'clinic-\ufffd7' },
    ...{ ...CAMPAIGN, utm_content: null, utm_term: null },
    ...{ referring_class: 'search', screen_class: 'small', is_bot: false, is_internal: false },
    marking: null,
  };

  test('a page view is one anonymous row, and an event for PostHog; its repetition is the same', async () => {
    const { postEvents, visits, waiting } = await open();
    // A database cannot hold some characters of the referrer.
    await Promise.all([postEvents(batchOf(VIEW)), postEvents(batchOf(VIEW)), postEvents(VIEW)]);
    expect((await postEvents(batchOf(VIEW, EVENT))).json()).toEqual(OK);
    expect(await visits()).toEqual([ROW]);
    expect(JSON.stringify(await visits())).not.toContain(VISIT);
    expect((await waiting()).map(({ uuid }) => uuid)).toEqual([VIEW.uuid, EVENT.uuid]);
  });

  test('without a PostHog the page view is a row, and nothing waits', async () => {
    const { postEvents, visits, waiting } = await open({ site: { posthogKey: null } });
    const { token: _, ...properties } = VIEW.properties as Record<string, unknown>;
    expect((await postEvents({ ...VIEW, properties })).json()).toEqual(OK);
    expect((await postEvents(batchOf(EVENT))).json()).toEqual(OK);
    expect(await visits()).toEqual([ROW]);
    expect(await waiting()).toEqual([]);
  });

  test('a page view of a robot or the team is marked, and does not reach PostHog; of a private visitor nothing is kept', async () => {
    const { postEvents, rows, waiting } = await open();
    for (const signal of ['sec-gpc', 'dnt'])
      expect((await postEvents(batchOf(VIEW, EVENT), { [signal]: '1' })).json()).toEqual(OK);
    expect((await postEvents(batchOf(VIEW, EVENT), { 'user-agent': ROBOT })).json()).toEqual(OK);
    const ofTeam = [pageview(), browserEvent()].map((event) => ({
      ...event,
      properties: { ...event.properties, is_internal: true },
    }));
    expect((await postEvents(batchOf(...ofTeam))).json()).toEqual(OK);
    expect(await rows('SELECT is_bot, is_internal FROM visits ORDER BY is_bot')).toEqual([
      { is_bot: false, is_internal: true },
      { is_bot: true, is_internal: false },
    ]);
    expect(await waiting()).toEqual([]);
  });
});

test('events are taken in each form in which posthog-js sends them', async () => {
  const { postEvents, waiting } = await start();
  const json = 'application/json';
  const sent = Array.from({ length: 7 }, () => browserEvent());
  const [a, b, c, d, e, f, g] = sent.map((event) => ({ ...event, sent_at: 'now' }));
  const bare = (event: typeof a) => ({ ...event, properties: { visit_id: VISIT } });
  const form = Buffer.from(JSON.stringify(batchOf({ ...c }))).toString('base64');
  const forms: [type: string, body: string | object, url?: string][] = [
    [json, JSON.stringify(batchOf({ ...a }))],
    ['text/plain', JSON.stringify(batchOf({ ...b }))],
    ['application/x-www-form-urlencoded', `data=${encodeURIComponent(form)}`],
    [json, { ...d }],
    [json, [e]],
    [json, { token: KEY, batch: [bare(f)] }],
    [json, bare(g), `/k/e/?token=${KEY}`],
  ];
  for (const [type, body, url] of forms) {
    const answer = await postEvents(body, { 'content-type': type, cookie: 'a=b' }, url);
    expect([answer.statusCode, answer.json()]).toEqual([200, OK]);
  }
  const taken = await waiting();
  expect(taken.map(({ uuid }) => uuid).sort()).toEqual(sent.map(({ uuid }) => uuid).sort());
  for (const event of taken)
    expect(event).toMatchObject({ distinct_id: VISIT, timestamp: EVENT.timestamp });
});

test('100 at once, but the page’s own cta_click is left out, because the click’s row is it', async () => {
  const { postEvents, waiting } = await start();
  const click = { ...browserEvent(), event: 'cta_click' };
  const others = Array.from({ length: 99 }, () => browserEvent());
  expect((await postEvents(batchOf(click, ...others))).statusCode).toBe(200);
  const uuids = (await waiting()).map(({ uuid }) => uuid);
  expect(uuids.sort()).toEqual(others.map(({ uuid }) => uuid).sort());
  expect((await postEvents(batchOf(click))).json()).toEqual(OK);
});

describe('a waiting event', () => {
  test('has exactly the properties of the plan, also if the browser sends none or others', async () => {
    const { postEvents, waiting } = await start();
    const { cta_click: _, ...others } = EVENTS;
    const bare = { visit_id: VISIT };
    for (const given of [bare, { ...EVENT.properties, gclid: 'x', $ip: '198.51.100.7' }])
      for (const event of Object.keys(others))
        await postEvents(batchOf({ ...browserEvent(), event, properties: given }));
    const events = await waiting();
    expect(events).toHaveLength(2 * Object.keys(others).length);
    for (const { event, properties } of events) {
      const own = EVENTS[event as keyof typeof EVENTS];
      const planned = Object.keys({ ...VISIT_PROPERTIES, ...own });
      expect(Object.keys(properties).sort()).toEqual(planned.sort());
      expect(properties).toMatchObject({ $ip: '192.0.2.0', $geoip_disable: true });
    }
  });

  test('has no value of another form than the plan’s', async () => {
    const { postEvents, waiting } = await start();
    const wrong = [
      ...['ana example', 'ana@example.org', 'x'.repeat(65)].map((text) => ({
        campaign: { utm_source: text },
      })),
      ...[{ campaign: ['ana-example'] }, { screen_class: 'ana-huge' }],
      { name: 'ana-FID', value: 'ana-slow', rating: 'ana-fine' },
      ...[{ $current_url: 'javascript:ana' }, { $current_url: { toString: 'ana-example' } }],
      { referrer: { a: 'ana-example' } },
    ];
    for (const parts of wrong)
      await postEvents(batchOf({ ...browserEvent(undefined, parts), event: 'web_vital' }));
    expect(await waiting()).toHaveLength(wrong.length);
    expect(JSON.stringify(await waiting())).not.toMatch(/ana|xxx/);
  });

  test('has the class of the site that the visitor came from', async () => {
    const hosts = {
      direct: ['', 'www.site.example'],
      search: ['www.google.co.uk'],
      social: ['l.facebook.com', 'com.reddit.frontpage'],
      partner: ['my.portal.example'],
      other: ['mail.google.com', 'clinic.example:8443', 'google.com.evil.example'],
    };
    const { postEvents, waiting } = await start();
    const expected: object[] = [];
    for (const [kind, domains] of Object.entries(hosts))
      for (const referring_domain of domains) {
        await postEvents(browserEvent(undefined, { referring_domain }));
        // PostHog takes `$direct` and hosts for its channels, and every other text for a host that refers.
        const $referring_domain = kind === 'direct' ? '$direct' : null;
        expected.push({ properties: { $referring_domain, referring_class: kind } });
      }
    expect(await waiting()).toMatchObject(expected);
  });
});

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const text = (value: object) => JSON.stringify(value);
const tooMuch = text({ ...EVENT, a: 'x'.repeat(129 * 1024) });

const event = (parts: object) => text({ ...EVENT, ...parts });
const REFUSED: [status: number, code: string, bodies: string[]][] = [
  [400, 'malformed_json', ['', '{', 'data=xx']],
  [400, 'malformed_events', ['7', nested(60_000), '[]', '{"batch":[null]}', event({ event: '' })]],
  [400, 'unknown_event', [event({ event: '$autocapture' }), event({ event: 'toString' })]],
  [400, 'malformed_events', [event({ uuid: 'u'.repeat(99) }), event({ timestamp: 'now' })]],
  [400, 'malformed_events', [event({ properties: {} }), event({ properties: [1] })]],
  [400, 'malformed_events', [text(batchOf(...Array(101).fill(EVENT)))]],
  [413, 'too_large', [tooMuch]],
];

test('a body that is not events of the plan is refused with a reason', async () => {
  const { postEvents, waiting } = await start();
  for (const [status, code, bodies] of REFUSED) {
    for (const body of bodies) {
      const answer = await postEvents(body, { 'content-type': 'text/plain' });
      expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
      expect(answer.json().error.message).toMatch(/^[A-Z].*\.$/);
    }
  }
  expect(await waiting()).toEqual([]);
});
