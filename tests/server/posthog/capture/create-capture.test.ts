/** The client against the stand-in, with one request. The numbers are those of the cases that the stand-in must play. */
import { expect, test } from 'vitest';
import { type Case, eventOf, play } from '../../../helpers/fakes/play-capture.ts';

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
