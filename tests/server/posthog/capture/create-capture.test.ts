/** The client against the stand-in: the cases of PostHog's protocols that a client can meet. */
import { describe, expect, test } from 'vitest';
import type { CaptureEvent, SendOptions } from '../../../../server/posthog/capture/capture.ts';
import {
  type CaptureSettings,
  createCapture,
} from '../../../../server/posthog/capture/create-capture.ts';
import type { Step } from '../../../helpers/fakes/posthog-capture/script.ts';
import { testCapture } from '../../../helpers/fakes/posthog-capture/test-capture.ts';
import type { World } from '../../../helpers/fakes/posthog-capture/world.ts';

const eventOf = (n: number, parts: Partial<CaptureEvent> = {}): CaptureEvent => ({
  uuid: `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`,
  event: 'cta_click',
  distinct_id: '019c1234-5678-7abc-8def-aaaaaaaaaaaa',
  timestamp: '2026-01-31T09:30:00.123Z',
  properties: {
    $session_id: '019c1234-5678-7abc-8def-aaaaaaaaaaaa',
    $process_person_profile: false,
    label: 'hero_button',
  },
  ...parts,
});
const eventsOf = (count: number) => Array.from({ length: count }, (_, n) => eventOf(n));

interface Case {
  /** The next answers. */
  steps?: Step[];
  world?: Partial<World>;
  /** Number of events, or the events. Default: 1. */
  events?: number | CaptureEvent[];
  options?: SendOptions;
  settings?: Partial<CaptureSettings>;
}

async function play({ steps = [], world = {}, events = 1, options, settings }: Case) {
  const posthog = await testCapture();
  posthog.play(...steps);
  Object.assign(posthog.world, world);
  const waits: number[] = [];
  const capture = createCapture({
    host: posthog.url,
    key: 'phc_test',
    wait: async (ms) => void waits.push(ms),
    ...settings,
  });
  const sent = typeof events === 'number' ? eventsOf(events) : events;
  const result = await capture.send(sent, options);
  const verdicts = result.outcomes.map(({ verdict, detail }) =>
    detail ? `${verdict}:${detail}` : verdict,
  );
  const bodies = posthog.requests.map(({ body }) => JSON.parse(body));
  return { capture, posthog, result, verdicts, bodies, waits, sent };
}

test('1: one request stores the events as they are', async () => {
  const { posthog, result, sent } = await play({ events: 2 });
  expect(posthog.requests.map(({ path }) => path)).toEqual(['/i/v1/analytics/events']);
  expect(posthog.requests[0]?.headers['posthog-attempt']).toBe('1');
  expect(result).toEqual({
    outcomes: sent.map(({ uuid, event }) => ({
      ...{ uuid, event, verdict: 'ok', detail: null },
      ...{ protocol: 'v1', attempts: 1 },
    })),
    retryAfterMs: null,
    trouble: null,
  });
  expect(posthog.events).toMatchObject(sent);
});

test('no event makes no request', async () => {
  const { posthog, result } = await play({ events: [] });
  expect(posthog.requests).toEqual([]);
  expect(result).toEqual({ outcomes: [], retryAfterMs: null, trouble: null });
});

const OK = 'ok';
/** What happened to the batch, with one request. [case, script, verdicts, trouble, stored events] */
const ONE_REQUEST: [
  name: string,
  played: Case,
  verdicts: string[],
  trouble: string | null,
  stored: number,
][] = [
  [
    '9: a faulty event is dropped alone',
    { events: [eventOf(1, { timestamp: 'now' }), eventOf(2)] },
    ['drop:invalid_event_timestamp', OK],
    null,
    1,
  ],
  [
    '10: a batch of faulty events is no question of quota',
    { events: [eventOf(1, { distinct_id: '' })], world: { isOverQuota: true } },
    ['drop:missing_distinct_id'],
    null,
    0,
  ],
  [
    '11: a placeholder id is stored',
    { events: [eventOf(1, { distinct_id: 'anonymous' })] },
    ['ok:person_processing_disabled'],
    null,
    1,
  ],
  [
    '12: a warning is stored, and not sent again',
    { steps: [{ verdicts: ['warning:person_processing_disabled'] }], options: { maxAttempts: 3 } },
    ['warning:person_processing_disabled'],
    null,
    1,
  ],
  ['12: the old name of a warning', { steps: [{ verdicts: ['limited'] }] }, ['warning'], null, 1],
  [
    '13: each event has its own verdict',
    {
      events: 3,
      steps: [{ verdicts: ['ok', 'drop:event_restriction_drop', 'retry:not_persisted'] }],
    },
    [OK, 'drop:event_restriction_drop', 'retry:not_persisted'],
    null,
    1,
  ],
  [
    '14: an event that is not stored is left to the caller',
    { steps: [{ verdicts: ['retry:not_persisted'] }] },
    ['retry:not_persisted'],
    'away',
    0,
  ],
  ...[408, 500, 502, 503, 504].map((status): (typeof ONE_REQUEST)[number] => [
    `16: ${status} passes`,
    { steps: [{ status, tag: 'service_unavailable' }] },
    ['retry:service_unavailable'],
    'away',
    0,
  ]),
  ...[400, 401, 403, 413, 415].map((status): (typeof ONE_REQUEST)[number] => [
    `17: ${status} is not repeated`,
    { steps: [{ status, body: 'no' }], options: { maxAttempts: 3 } },
    [`retry:http_${status}`],
    'refused',
    0,
  ]),
  [
    '17: PostHog refuses one event as too large, for good',
    { steps: [{ status: 413, tag: 'payload_too_large' }] },
    ['drop:payload_too_large'],
    null,
    0,
  ],
  [
    '17: a wrong key',
    { settings: { key: 'phx_personal' } },
    ['retry:invalid_api_token'],
    'refused',
    0,
  ],
  [
    '18: over quota the events are kept, without a loop',
    { world: { isOverQuota: true }, events: 2, options: { maxAttempts: 3 } },
    ['retry:billing_limit_exceeded', 'retry:billing_limit_exceeded'],
    'over_quota',
    0,
  ],
  [
    '19: over quota on an older server',
    { steps: [{ status: 429, tag: 'billing_limit_exceeded' }], options: { maxAttempts: 3 } },
    ['retry:billing_limit_exceeded'],
    'over_quota',
    0,
  ],
  [
    '23: an event that the answer does not name is unknown',
    { events: 2, steps: [{ verdicts: ['ok', null] }] },
    [OK, 'retry:missing_in_answer'],
    null,
    2,
  ],
  [
    '23: an answer without any of the events is not about them',
    { steps: [{ verdicts: [null], strangers: [eventOf(9).uuid] }] },
    ['retry:unreadable_answer'],
    'unreadable',
    1,
  ],
  [
    '24: names of other events are ignored',
    { steps: [{ strangers: [eventOf(9).uuid] }] },
    [OK],
    null,
    1,
  ],
  [
    '24: an unknown verdict is final, and proves nothing',
    { steps: [{ verdicts: ['unknown_future_result'] }], options: { maxAttempts: 3 } },
    ['accepted:unknown_verdict:unknown_future_result'],
    null,
    1,
  ],
  ...['<html>', '{}', '{"results":[]}', '{"results":{"', '[]', ''].map(
    (body): (typeof ONE_REQUEST)[number] => [
      `25: 200 with ${body} is unknown`,
      { steps: [{ body, copies: 1 }] },
      ['retry:unreadable_answer'],
      'unreadable',
      1,
    ],
  ),
  [
    '25: an endless answer is unknown',
    { steps: [{ body: ' '.repeat(1024 * 1024 + 1), copies: 1 }] },
    ['retry:unreadable_answer'],
    'unreadable',
    1,
  ],
  [
    '25: half of an answer is unknown',
    { steps: [{ ending: 'half' }] },
    ['retry:unreachable'],
    'away',
    1,
  ],
  ['26: an answer that is lost', { steps: [{ ending: 'cut' }] }, ['retry:unreachable'], 'away', 1],
  ...(['silent', 'header'] as const).map((ending): (typeof ONE_REQUEST)[number] => [
    `28: the time-out covers an answer that ends with ${ending}`,
    { steps: [{ ending }], settings: { timeoutMs: 200 } },
    ['retry:timeout'],
    'away',
    1,
  ]),
  [
    'a redirect is not followed',
    { steps: [{ status: 307, headers: { location: '/batch/' } }], options: { maxAttempts: 3 } },
    ['retry:http_307'],
    'refused',
    0,
  ],
];

test.each(ONE_REQUEST)('%s', async (_name, played, expected, trouble, stored) => {
  const { posthog, verdicts, result } = await play(played);
  expect(verdicts).toEqual(expected);
  expect(result.trouble?.kind ?? null).toBe(trouble);
  if (result.trouble) expect(result.trouble.message).toMatch(/^http.*[.?]$/);
  expect(posthog.requests).toHaveLength(1);
  expect(posthog.events).toHaveLength(stored);
  expect(result.outcomes.every(({ attempts }) => attempts === 1)).toBe(true);
});

describe('with several attempts', () => {
  test('13: only events with `retry` go again, with the same ids and times', async () => {
    const { posthog, result, verdicts, bodies, sent } = await play({
      events: 3,
      steps: [{ verdicts: ['ok', 'retry:not_persisted', 'drop:rejected'] }],
      options: { maxAttempts: 4 },
    });
    expect(verdicts).toEqual(['ok', 'ok', 'drop:rejected']);
    expect(result.outcomes.map(({ attempts }) => attempts)).toEqual([1, 2, 1]);
    const [first, second] = posthog.requests.map(({ headers }) => headers);
    expect(second?.['posthog-attempt']).toBe('2');
    expect(second?.['posthog-request-id']).toBe(first?.['posthog-request-id']);
    expect(bodies[1].created_at).toBe(bodies[0].created_at);
    expect(bodies[1].batch).toEqual([bodies[0].batch[1]]);
    expect(posthog.merged()).toMatchObject([sent[0], sent[1]]);
  });

  test('14: a `retry` without end stops after the limit', async () => {
    const { posthog, verdicts, waits } = await play({
      steps: Array(9).fill({ verdicts: ['retry:not_persisted'] }),
      options: { maxAttempts: 4 },
    });
    expect(verdicts).toEqual(['retry:not_persisted']);
    expect(posthog.requests).toHaveLength(4);
    expect(waits).toHaveLength(3);
    for (const [i, ms] of waits.entries()) expect(ms).toBeGreaterThanOrEqual(500 * 2 ** i);
  });

  const inThreeSeconds = () => new Date(Date.now() + 3000).toUTCString();
  test.each<[string, Step, number, number]>([
    ['on 200', { verdicts: ['retry'], headers: { 'retry-after': '3' } }, 3000, 3000],
    ['on 503', { status: 503, headers: { 'retry-after': '3' } }, 3000, 3000],
    ['as a date', { status: 503, headers: { 'retry-after': inThreeSeconds() } }, 500, 3000],
    ['if it is absurd', { status: 503, headers: { 'retry-after': '9999' } }, 30_000, 30_000],
    [
      'if it is a date long ago',
      { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
      500,
      1000,
    ],
    ['if it is not a time', { status: 503, headers: { 'retry-after': 'soon' } }, 500, 1000],
    [
      '20: on 429',
      { status: 429, tag: 'rate_limited', headers: { 'retry-after': '3' } },
      3000,
      3000,
    ],
  ])('15: Retry-After counts %s', async (_name, step, atLeast, atMost) => {
    const { verdicts, waits } = await play({ steps: [step], options: { maxAttempts: 2 } });
    expect(verdicts).toEqual(['ok']);
    expect(waits[0]).toBeGreaterThanOrEqual(atLeast);
    expect(waits[0]).toBeLessThanOrEqual(atMost);
  });

  test('15: the caller gets the time that PostHog names', async () => {
    const { result } = await play({ steps: [{ status: 503, headers: { 'retry-after': '7' } }] });
    expect(result.retryAfterMs).toBe(7000);
  });

  test('16: faults that pass end well', async () => {
    const statuses = [408, 500, 503, 503, 504];
    const { verdicts, posthog } = await play({
      steps: statuses.map((status) => ({ status })),
      options: { maxAttempts: 6 },
    });
    expect(verdicts).toEqual(['ok']);
    expect(posthog.requests).toHaveLength(6);
  });

  test('18: when the quota is back, the events are stored', async () => {
    const { capture, posthog, sent } = await play({ world: { isOverQuota: true } });
    posthog.world.isOverQuota = false;
    const { outcomes } = await capture.send(sent);
    expect(outcomes).toMatchObject([{ verdict: 'ok' }]);
  });

  test.each<[string, Step]>([
    ['23: an unnamed event', { verdicts: [null] }],
    ['26: a lost answer', { ending: 'cut' }],
    ['27: `retry` although it is stored', { verdicts: ['retry'], copies: 1 }],
    ['25: half a JSON', { body: '{"results":{', copies: 1 }],
    ['a doubled event', { copies: 2, ending: 'cut' }],
  ])('%s is sent again, and counts once', async (_name, step) => {
    const { posthog, verdicts } = await play({ steps: [step], options: { maxAttempts: 2 } });
    expect(verdicts).toEqual(['ok']);
    expect(posthog.events.length).toBeGreaterThan(1);
    expect(posthog.merged()).toHaveLength(1);
  });
});

describe('without V1', () => {
  test('21: goes to /batch/ for the rest of the run, and knows only that it was accepted', async () => {
    const { capture, posthog, result, sent, bodies } = await play({ world: { hasV1: false } });
    expect(result.outcomes).toMatchObject([
      { verdict: 'accepted', detail: null, protocol: 'batch', attempts: 2 },
    ]);
    await capture.send(sent);
    const paths = posthog.requests.map(({ path }) => path);
    expect(paths).toEqual(['/i/v1/analytics/events', '/batch/', '/batch/']);
    expect(bodies[1]).toEqual({
      api_key: 'phc_test',
      batch: [{ ...sent[0], properties: expect.objectContaining(sent[0]?.properties ?? {}) }],
    });
    expect(posthog.merged()).toMatchObject(sent);
  });

  test('21: V1 is tried again after an hour', async () => {
    let time = Date.now();
    const settings = { now: () => time };
    const { capture, posthog, sent } = await play({ world: { hasV1: false }, settings });
    posthog.world.hasV1 = true;
    expect((await capture.send(sent)).outcomes).toMatchObject([{ protocol: 'batch' }]);
    time += 60 * 60 * 1000;
    expect((await capture.send(sent)).outcomes).toMatchObject([{ protocol: 'v1', verdict: 'ok' }]);
  });

  test('22: 404 on both is one clear message', async () => {
    const { posthog, result, verdicts } = await play({
      world: { hasV1: false, hasV0: false },
      options: { maxAttempts: 4 },
    });
    expect(verdicts).toEqual(['retry:not_served']);
    expect(posthog.requests).toHaveLength(2);
    expect(result.trouble).toEqual({
      kind: 'refused',
      detail: 'not_served',
      message: `${posthog.url} answered 404 on /i/v1/analytics/events and on /batch/: is POSTHOG_HOST the ingestion host?`,
    });
  });

  const V0: Partial<World> = { hasV1: false };
  /** [case, script, verdict, trouble, stored events] */
  test.each<[string, Case, string, string | null, number]>([
    ['29: over quota', { world: { ...V0, isOverQuota: true } }, 'accepted', null, 0],
    [
      '29: over quota, which the answer names',
      { world: { ...V0, isOverQuota: true, quotaLimited: ['events'] } },
      ...(['accepted:quota_limited', 'over_quota', 0] as const),
    ],
    [
      '29: over the quota of recordings alone',
      { world: { ...V0, quotaLimited: ['recordings'] } },
      ...(['accepted', null, 1] as const),
    ],
    ['30: a key of no project', { world: { ...V0, project: 'phc_other' } }, 'accepted', null, 0],
    ['31: a refusal', { steps: [{}, { status: 400 }], world: V0 }, 'retry:http_400', 'refused', 0],
    ['31: a wrong key', { world: V0, settings: { key: 'phx_a' } }, 'retry:http_401', 'refused', 0],
    ['31: an outage', { steps: [{}, { status: 503 }], world: V0 }, 'retry:http_503', 'away', 0],
    [
      '31: over quota on an older server',
      { steps: [{}, { status: 429, tag: 'billing_limit_exceeded' }], world: V0 },
      ...(['retry:billing_limit_exceeded', 'over_quota', 0] as const),
    ],
    [
      '31: one event that is too large',
      { steps: [{}, { status: 413, tag: 'maximum event size exceeded: 9' }], world: V0 },
      ...(['drop:payload_too_large', null, 0] as const),
    ],
    [
      '25: an answer that is not PostHog’s',
      { steps: [{}, { body: '<html>' }], world: V0 },
      ...(['retry:unreadable_answer', 'unreadable', 0] as const),
    ],
  ])('%s', async (_name, played, verdict, trouble, stored) => {
    const { posthog, verdicts, result } = await play(played);
    expect(verdicts).toEqual([verdict]);
    expect(result.trouble?.kind ?? null).toBe(trouble);
    expect(posthog.events).toHaveLength(stored);
  });
});

describe('a batch that PostHog refuses because of its events', () => {
  test.each([true, false])('31: is halved when it is too large (V1: %s)', async (hasV1) => {
    const tooLarge = { status: 413, tag: hasV1 ? 'payload_too_large' : 'maximum event size' };
    const { posthog, verdicts } = await play({
      events: 5,
      world: { hasV1 },
      steps: hasV1 ? [tooLarge, tooLarge] : [{}, tooLarge],
    });
    expect(new Set(verdicts)).toEqual(new Set([hasV1 ? 'ok' : 'accepted']));
    expect(posthog.merged()).toHaveLength(5);
    expect(posthog.events).toHaveLength(5);
  });

  test('never makes more than a bounded number of requests', async () => {
    const { posthog, verdicts } = await play({
      events: 500,
      steps: Array(999).fill({ status: 413, body: 'a firewall' }),
    });
    expect(new Set(verdicts)).toEqual(new Set(['retry:http_413']));
    expect(posthog.requests.length).toBeLessThanOrEqual(41);
  });

  test('8: a repeated UUID goes in a request of its own', async () => {
    const again = eventOf(1, { event: '$pageview', uuid: eventOf(1).uuid.toUpperCase() });
    const { posthog, verdicts } = await play({ events: [eventOf(1), again, eventOf(2)] });
    expect(verdicts).toEqual(['ok', 'ok', 'ok']);
    expect(posthog.merged()).toHaveLength(3);
  });

  test('8: an invalid UUID is refused without a request', async () => {
    const { posthog, verdicts } = await play({ events: [eventOf(1, { uuid: 'x' }), eventOf(2)] });
    expect(verdicts).toEqual(['drop:invalid_event_uuid', 'ok']);
    expect(posthog.requests).toHaveLength(1);
  });
});

test('33: only a historical batch is marked', async () => {
  for (const hasV1 of [true, false]) {
    const marked = await play({ world: { hasV1 }, options: { historical: true } });
    expect(marked.posthog.events).toMatchObject([{ historical: true }]);
    const plain = await play({ world: { hasV1 } });
    expect(plain.bodies.at(-1)).not.toHaveProperty('historical_migration');
  }
});

test.each([-2, 2, 30])('34, 35: a clock that is %s hours wrong shifts no event', async (hours) => {
  const offset = hours * 60 * 60 * 1000;
  const timestamp = new Date(Date.now() + offset).toISOString();
  for (const hasV1 of [true, false]) {
    const { posthog } = await play({
      events: [eventOf(1, { timestamp })],
      world: { hasV1 },
      settings: { now: () => Date.now() + offset },
    });
    expect(posthog.events).toMatchObject([{ timestamp }]);
  }
});

test('36: more than 10 MiB goes in two requests', async () => {
  const long = { text: 'x'.repeat(900_000) };
  const events = Array.from({ length: 14 }, (_, n) => eventOf(n, { properties: long }));
  const { posthog, verdicts } = await play({ events });
  expect(new Set(verdicts)).toEqual(new Set(['ok']));
  expect(posthog.requests).toHaveLength(3);
});

test('37: two processes that send the same batch make one event of each', async () => {
  const { capture, posthog, sent } = await play({ events: 3 });
  await Promise.all([capture.send(sent), capture.send(sent)]);
  expect(posthog.events).toHaveLength(9);
  expect(posthog.merged()).toHaveLength(3);
});

test('the header names the visitor’s browser, if the caller does', async () => {
  for (const hasV1 of [true, false]) {
    const { posthog } = await play({ world: { hasV1 }, options: { userAgent: 'Firefox' } });
    expect(posthog.requests.at(-1)?.headers).toMatchObject({ 'user-agent': 'Firefox' });
  }
});

test('a PostHog that cannot be reached is away', async () => {
  const { capture, posthog, sent } = await play({});
  await posthog.close();
  const { outcomes, trouble } = await capture.send(sent);
  expect(outcomes).toMatchObject([{ verdict: 'retry', detail: 'unreachable' }]);
  expect(trouble?.message).toMatch(/cannot be reached\.$/);
});
