/** The stand-in for PostHog judges requests as PostHog does. The numbers are those of the cases that it must play. */
import { describe, expect, test } from 'vitest';
import type { Step } from './script.ts';
import { testCapture } from './test-capture.ts';
import type { World } from './world.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');
const HOUR_MS = 60 * 60 * 1000;
const at = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();
const UUID = '019c1234-5678-7abc-8def-000000000001';
const OTHER = '019c1234-5678-7abc-8def-000000000002';
const EVENT = { event: 'cta_click', uuid: UUID, distinct_id: 'd-1', timestamp: at(-1) };
const GOOD = { ...EVENT, uuid: OTHER };
const batchOf = (...batch: unknown[]) => JSON.stringify({ created_at: at(0), batch });

const HEADERS: Record<string, string> = {
  authorization: 'Bearer phc_test',
  'content-type': 'application/json',
  'user-agent': 'test/1',
  'posthog-sdk-info': 'test/1',
  'posthog-attempt': '1',
  'posthog-request-id': UUID,
  'posthog-request-timestamp': at(0),
};

interface Sent {
  path?: string;
  method?: string;
  /** Replaces headers; null removes one. */
  headers?: Record<string, string | null>;
  body?: string | Buffer<ArrayBuffer> | null;
  world?: Partial<World>;
  step?: Step;
}

async function send({ path, method = 'POST', headers = {}, body, world, step }: Sent) {
  const posthog = await testCapture();
  Object.assign(posthog.world, { now: () => NOW, ...world });
  if (step) posthog.play(step);
  const given = Object.entries({ ...HEADERS, ...headers });
  const answer = await fetch(posthog.url + (path ?? '/i/v1/analytics/events'), {
    method,
    headers: given.filter((header): header is [string, string] => header[1] !== null),
    body: method === 'POST' ? (body === undefined ? batchOf(EVENT) : body) : null,
  });
  const text = await answer.text();
  return { posthog, answer, text, json: () => JSON.parse(text) };
}

describe('V1', () => {
  const REQUIRED = [
    ...['content-type', 'user-agent', 'posthog-sdk-info'],
    ...['posthog-attempt', 'posthog-request-id', 'posthog-request-timestamp'],
  ];
  // `fetch` always sends a User-Agent, and a Content-Type with a text: a body of bytes has none.
  const absent = REQUIRED.filter((name) => name !== 'user-agent');
  const bytes = Buffer.from(batchOf(EVENT));
  const headerCases: [string, Sent, number, string][] = [
    ['2: no Authorization', { headers: { authorization: null } }, 401, 'missing_authorization'],
    ...absent.map((name): [string, Sent, number, string] => [
      ...([`2: no ${name}`, { headers: { [name]: null }, body: bytes }] as const),
      ...([400, 'missing_required_headers'] as const),
    ]),
    ['3: Basic', { headers: { authorization: 'Basic eA==' } }, 400, 'invalid_header_value'],
    ['3: an empty token', { headers: { authorization: 'Bearer ' } }, 401, 'invalid_api_token'],
    [
      ...([
        '3: 65 characters',
        { headers: { authorization: `Bearer ${'p'.repeat(65)}` } },
      ] as const),
      ...([401, 'invalid_api_token'] as const),
    ],
    ['3: a personal key', { headers: { authorization: 'Bearer phx_a' } }, 401, 'invalid_api_token'],
    ['4: text', { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_content_type'],
    ['5: lz4', { headers: { 'content-encoding': 'lz4' } }, 415, 'unsupported_encoding'],
    ['6: attempt 0', { headers: { 'posthog-attempt': '0' } }, 400, 'invalid_header_value'],
    ['6: attempt abc', { headers: { 'posthog-attempt': 'abc' } }, 400, 'invalid_header_value'],
    ['6: an id', { headers: { 'posthog-request-id': 'x' } }, 400, 'invalid_header_value'],
    ['6: a time', { headers: { 'posthog-request-timestamp': 'now' } }, 400, 'invalid_header_value'],
  ];
  const bodyCases: [string, Sent, number, string][] = [
    ['7: nothing', { body: null }, 400, 'empty_body'],
    ['7: half a JSON', { body: '{' }, 400, 'request_parsing_error'],
    ['7: no events', { body: batchOf() }, 400, 'empty_batch'],
    ['7: no created_at', { body: '{"batch":[]}' }, 400, 'request_parsing_error'],
    [
      ...(['7: created_at is not a time', { body: '{"created_at":"x","batch":[{}]}' }] as const),
      ...([400, 'request_parsing_error'] as const),
    ],
    [
      '7: created_at is not a time, with an event',
      { body: JSON.stringify({ created_at: 'x', batch: [EVENT] }) },
      ...([400, 'invalid_batch'] as const),
    ],
    ['8: no UUID', { body: batchOf({ ...EVENT, uuid: undefined }) }, 400, 'request_parsing_error'],
    ['8: an empty UUID', { body: batchOf({ ...EVENT, uuid: '' }) }, 400, 'missing_event_uuid'],
    ['8: not a UUID', { body: batchOf(GOOD, { ...EVENT, uuid: 'x' }) }, 400, 'invalid_event_uuid'],
    ['8: a UUID twice', { body: batchOf(EVENT, EVENT) }, 400, 'duplicate_event_uuid'],
    [
      '8: a UUID twice, in other case',
      { body: batchOf(EVENT, { ...EVENT, uuid: UUID.toUpperCase().replaceAll('-', '') }) },
      ...([400, 'duplicate_event_uuid'] as const),
    ],
    ['18: over quota', { world: { isOverQuota: true } }, 402, 'billing_limit_exceeded'],
    ['36: 10 MiB + 1', { body: ' '.repeat(10 * 1024 * 1024 + 1) }, 413, 'payload_too_large'],
  ];

  test.each([...headerCases, ...bodyCases])('%s is refused', async (_name, sent, status, tag) => {
    const { posthog, answer, json } = await send(sent);
    expect([answer.status, json().error]).toEqual([status, tag]);
    expect(json().error_uri).toMatch(/^https:\/\/posthog\.com\/docs\//);
    expect(answer.headers.has('retry-after')).toBe(false);
    expect(posthog.events).toEqual([]);
  });

  test('2: all absent headers are named together', async () => {
    const headers = Object.fromEntries(absent.map((name) => [name, null]));
    const { json } = await send({ headers, body: bytes });
    for (const name of absent) expect(json().error_description.toLowerCase()).toContain(name);
  });

  test.each<[string, Sent]>([
    ['1: a plain request', {}],
    ['1: with a slash at the end', { path: '/i/v1/analytics/events/' }],
    ['3: bearer in lower case', { headers: { authorization: 'bearer phc_test' } }],
    ['4: parameters', { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }],
  ])('%s is taken', async (_name, sent) => {
    const { posthog, answer, json } = await send(sent);
    expect([answer.status, json()]).toEqual([200, { results: { [UUID]: { result: 'ok' } } }]);
    expect(answer.headers.get('posthog-request-id')).toBe(UUID);
    expect(answer.headers.has('retry-after')).toBe(false);
    expect(posthog.events).toMatchObject([{ uuid: UUID, timestamp: at(-1), token: 'phc_test' }]);
  });

  const LONG = 'x'.repeat(201);
  test.each<[parts: object, details: string]>([
    [{ event: '' }, 'missing_event_name'],
    [{ event: LONG }, 'event_name_too_long'],
    [{ event: '$performance_event' }, 'dropped_performance_event'],
    [{ distinct_id: ' ' }, 'missing_distinct_id'],
    [{ distinct_id: LONG }, 'distinct_id_too_large'],
    [{ timestamp: 'yesterday' }, 'invalid_event_timestamp'],
    [{ options: [] }, 'invalid_options'],
    [{ options: { cookieless_mode: 'perhaps' } }, 'invalid_options'],
    [{ properties: 'none' }, 'malformed_event_properties'],
    [{ properties: { text: 'x'.repeat(1_000_000) } }, 'event_too_big'],
  ])('9: $1 drops an event, and the other is stored', async (parts, details) => {
    const { posthog, json } = await send({ body: batchOf({ ...EVENT, ...parts }, GOOD) });
    const results = { [UUID]: { result: 'drop', details }, [OTHER]: { result: 'ok' } };
    expect(json()).toEqual({ results });
    expect(posthog.events.map(({ uuid }) => uuid)).toEqual([OTHER]);
  });

  test('10: faulty events alone are dropped, also over quota', async () => {
    const body = batchOf({ ...EVENT, event: '' });
    const { answer } = await send({ body, world: { isOverQuota: true } });
    expect(answer.status).toBe(200);
  });

  test.each(['anonymous', ' NULL ', '0'])('11: the placeholder %j', async (id) => {
    const { json } = await send({ body: batchOf({ ...EVENT, distinct_id: id }) });
    expect(json().results[UUID]).toEqual({ result: 'ok', details: 'person_processing_disabled' });
  });

  test.each<[Step, string | null]>([
    [{ verdicts: ['retry'] }, '1'],
    [{ status: 503, tag: 'service_unavailable' }, '1'],
    [{ status: 408, tag: 'request_timeout' }, '1'],
    [{ status: 429, tag: 'rate_limited' }, null],
    [{ verdicts: ['warning:person_processing_disabled'] }, null],
  ])('15: %j has the Retry-After %s', async (step, expected) => {
    const { answer } = await send({ step });
    expect(answer.headers.get('retry-after')).toBe(expected);
  });

  const timeCases: [string, string, string | undefined, string, string][] = [
    ['34: a clock two hours ahead', at(1), undefined, at(2), at(-1)],
    ['34: without correction', at(1), 'disable_skew_correction', at(2), at(1)],
    ['35: 30 hours in the future', at(30), undefined, at(0), at(0)],
    ['35: without correction', at(30), 'disable_skew_correction', at(0), at(30)],
  ];
  test.each(timeCases)('%s', async (_name, timestamp, option, sentAt, stored) => {
    const options = option && { [option]: true };
    const { posthog } = await send({
      headers: { 'posthog-request-timestamp': sentAt },
      body: batchOf({ ...EVENT, timestamp, options }),
    });
    expect(posthog.events).toMatchObject([{ timestamp: stored }]);
  });

  test('38: preflight and cross-origin requests mirror the origin', async () => {
    const headers = { origin: 'https://other.example' };
    for (const method of ['OPTIONS', 'POST']) {
      const { answer } = await send({ method, headers });
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://other.example');
    }
    expect((await send({ method: 'GET' })).answer.status).toBe(405);
  });
});

test('37: repetitions merge by uuid, event, time and distinct id', async () => {
  const posthog = await testCapture();
  const post = (event: object) =>
    fetch(`${posthog.url}/i/v1/analytics/events`, {
      method: 'POST',
      headers: HEADERS,
      body: batchOf({ ...event, options: { disable_skew_correction: true } }),
    });
  await Promise.all([post(EVENT), post(EVENT), post({ ...EVENT, uuid: UUID.toUpperCase() })]);
  expect([posthog.events.length, posthog.merged().length]).toEqual([3, 1]);
  await post({ ...EVENT, timestamp: at(-2) });
  await post({ ...EVENT, distinct_id: 'd-2' });
  expect(posthog.merged()).toHaveLength(3);
});
