/** POST /k/e/: what a page sends becomes waiting events, and nothing else passes through. */
import { describe, expect, test } from 'vitest';
import { EVENTS } from '#contract/events.ts';
import { VISIT_PROPERTIES } from '../../../server/posthog/visit-properties.ts';
import { DAY_MS } from '../../../server/time.ts';
import { browserEvent, PAGE_URL, VISIT } from '../../helpers/fakes/browser-event.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { ADMIN_PASSWORD, scrape } from '../../helpers/server/scrape.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const KEY = 'phc_test';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const EVENT = browserEvent();
const OK = { status: 'Ok' };
const batchOf = (...batch: object[]) => ({ api_key: KEY, batch, sent_at: 'now' });

async function start(options: Parameters<typeof startApp>[0] = {}) {
  const site = await startApp(options);
  /** The waiting events, the oldest first. */
  const waiting = async () => {
    const rows = await site.rows('SELECT event FROM posthog_outbox ORDER BY queued_at, uuid');
    return rows.map(({ event }) => JSON.parse(String(event)));
  };
  return { ...site, waiting };
}

describe.each(DATABASES)('$name', ({ makeEnv }) => {
  test('an event waits once, also if it comes again', async () => {
    const { postEvents, waiting } = await start({ env: await makeEnv() });
    // A database cannot hold some characters of the ref.
    const sent = browserEvent(undefined, { referrer: 'clinic-\0\ud8007' });
    await Promise.all([postEvents(batchOf(sent)), postEvents(batchOf(sent)), postEvents(sent)]);
    expect((await postEvents(batchOf(sent, EVENT))).json()).toEqual(OK);
    const found = await waiting();
    expect(found.map(({ uuid }) => uuid).sort()).toEqual([sent.uuid, EVENT.uuid].sort());
    expect(found.map(({ properties }) => properties.referrer)).toContain('clinic-\ufffd7');
  });

  test('without a PostHog nothing waits, and neither do events of robots, the team and private visitors', async () => {
    const { postEvents, waiting } = await start({ env: await makeEnv() });
    for (const signal of ['sec-gpc', 'dnt'])
      expect((await postEvents(batchOf(EVENT), { [signal]: '1' })).json()).toEqual(OK);
    expect((await postEvents(batchOf(EVENT), { 'user-agent': ROBOT })).json()).toEqual(OK);
    const ofTeam = browserEvent(undefined, { is_internal: true });
    expect((await postEvents(batchOf(EVENT, ofTeam))).json()).toEqual(OK);
    expect(await waiting()).toEqual([]);
    const without = await start({ env: await makeEnv(), site: { posthogKey: null } });
    expect((await without.postEvents(batchOf(EVENT))).json()).toEqual(OK);
    expect(await without.waiting()).toEqual([]);
  });
});

test('events are taken in each form in which posthog-js sends them', async () => {
  const { postEvents, waiting } = await start();
  const json = 'application/json';
  const sent = Array.from({ length: 7 }, () => browserEvent());
  const [a, b, c, d, e, f, g] = sent.map((event) => ({ ...event, sent_at: 'now' }));
  const bare = (event: typeof a) => ({
    ...event,
    properties: { visit_id: VISIT, $current_url: PAGE_URL },
  });
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
  for (const event of taken) {
    const { timestamp } = sent.find(({ uuid }) => uuid === event.uuid) ?? {};
    expect(event).toMatchObject({ distinct_id: VISIT, timestamp });
  }
});

test('100 at once, but a page’s $pageview and cta_click are left out: PostHog gets those of the rows', async () => {
  const { postEvents, waiting, rows } = await start();
  const made = ['$pageview', 'cta_click'].map((event) => ({ ...browserEvent(), event }));
  const others = Array.from({ length: 98 }, () => browserEvent());
  expect((await postEvents(batchOf(...made, ...others))).json()).toEqual(OK);
  const uuids = (await waiting()).map(({ uuid }) => uuid);
  expect(uuids.sort()).toEqual(others.map(({ uuid }) => uuid).sort());
  for (const event of made) expect((await postEvents(batchOf(event))).json()).toEqual(OK);
  expect(await rows('SELECT id FROM visits')).toEqual([]);
});

test('an event of another host or with a time that is days off is in no figure; the others of its batch are taken', async () => {
  const now = Date.now();
  const site = await start({ env: { ADMIN_PASSWORD }, now: () => now });
  const at = (ms: number) => ({
    ...browserEvent(),
    timestamp: new Date(now + ms).toISOString(),
  });
  const on = ($current_url: unknown) => browserEvent(undefined, { $current_url });
  const ours = [at(0), at(-8 * DAY_MS), at(DAY_MS), on('http://SITE.example:3000/es/')];
  const tooOldOrAhead = [at(-8 * DAY_MS - 1), at(DAY_MS + 1), at(-now), at(1000 * DAY_MS)];
  const ofOthers = ['https://copy.example/', 'https://site.example@copy.example/', '', 7].map(on);
  const { statusCode } = await site.postEvents(batchOf(...tooOldOrAhead, ...ofOthers, ...ours));
  expect(statusCode).toBe(200);
  const uuids = (await site.waiting()).map(({ uuid }) => uuid);
  expect(uuids.sort()).toEqual(ours.map(({ uuid }) => uuid).sort());
  expect(await scrape(site)).toMatchObject({
    'site_left_out_total{what="event",why="time"}': tooOldOrAhead.length,
    'site_left_out_total{what="event",why="host"}': ofOthers.length,
  });
  // The browser sent the request to this name of the site.
  const second = on('https://www.site.example/');
  await site.postEvents(second, { host: 'www.site.example' });
  expect(await site.waiting()).toHaveLength(ours.length + 1);
});

describe('a waiting event', () => {
  test('has exactly the properties of the plan, also if the browser sends none or others', async () => {
    const { postEvents, waiting } = await start();
    const { cta_click: _, $pageview: __, ...others } = EVENTS;
    const bare = { visit_id: VISIT, $current_url: PAGE_URL };
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
      ...['ana (at) example', 'ana@example.org', 'x'.repeat(65)].map((text) => ({
        campaign: { utm_source: text },
      })),
      { campaign: ['ana-example'] },
      { screen_class: 'ana-huge' },
      { $web_vitals_LCP_value: 'ana-slow', $web_vitals_FID_value: 'ana-fast' },
      { $current_url: `${PAGE_URL}?name=ana-example#ana` },
      { referrer: { a: 'ana-example' } },
    ];
    for (const parts of wrong)
      await postEvents(batchOf({ ...browserEvent(undefined, parts), event: '$web_vitals' }));
    expect(await waiting()).toHaveLength(wrong.length);
    expect(JSON.stringify(await waiting())).not.toMatch(/ana|xxx/);
  });

  test('has no number that would spoil an average', async () => {
    const { postEvents, waiting } = await start();
    const own = {
      $web_vitals_CLS_value: 0,
      $web_vitals_LCP_value: -1,
      $web_vitals_INP_value: 1e300,
      $web_vitals_FCP_value: '48',
    };
    await postEvents(batchOf({ ...browserEvent(undefined, own), event: '$web_vitals' }));
    const [event] = await waiting();
    expect(event?.properties).toMatchObject({
      $web_vitals_CLS_value: 0,
      $web_vitals_LCP_value: null,
      $web_vitals_INP_value: null,
      $web_vitals_FCP_value: null,
    });
  });

  test('has the class of the site that the visitor came from', async () => {
    const hosts = {
      direct: [''],
      own: ['site.example'],
      search: ['www.google.co.uk'],
      assistant: ['claude.ai'],
      social: ['l.facebook.com', 'com.reddit.frontpage'],
      mail: ['mail.google.com'],
      partner: ['my.portal.example'],
      other: ['clinic.example:8443', 'google.com.evil.example'],
    };
    const { postEvents, waiting } = await start();
    const expected: object[] = [];
    for (const [kind, domains] of Object.entries(hosts))
      for (const referring_domain of domains) {
        await postEvents(browserEvent(undefined, { referring_domain }));
        // PostHog's rules for channels read no other property of a referrer.
        const $referring_domain = ['direct', 'own'].includes(kind) ? '$direct' : kind;
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
