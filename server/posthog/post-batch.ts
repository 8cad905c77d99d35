/**
 * Sends a batch of events in one request to PostHog's Capture V1, `POST /i/v1/analytics/events`.
 * PostHog answers with a verdict for each event.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Clock, MINUTE_MS, SECOND_MS } from '../time.ts';
import type { PosthogEvent } from './make-event.ts';

/** Path of Capture V1 on PostHog's host. */
export const CAPTURE_PATH = '/i/v1/analytics/events';
const CLIENT = 'sma-data-drive-server/1';
/** Timeout for a whole answer, headers and body. Milliseconds. */
export const REQUEST_TIMEOUT_MS = 10 * SECOND_MS;
/**
 * Upper bound for the wait that PostHog's `Retry-After` asks for, in case its clock or ours is
 * wrong. Milliseconds.
 */
const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;

/** Error codes with which PostHog refuses a whole batch because of a single event. */
const EVENT_ERRORS = [
  'request_parsing_error',
  'missing_event_uuid',
  'invalid_event_uuid',
  'duplicate_event_uuid',
  'payload_too_large',
];

const codeSchema = z.string().regex(/^[\w-]{1,64}$/);
/** Makes a field optional. An invalid value counts as absent. */
const undefinedIfInvalid = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const verdictSchema = undefinedIfInvalid(
  z.object({ result: codeSchema, details: codeSchema.nullable().catch(null) }),
);
const resultsSchema = z.record(z.string().toLowerCase(), verdictSchema);
const answerSchema = z.object({
  error: undefinedIfInvalid(codeSchema),
  results: undefinedIfInvalid(resultsSchema),
});

/** PostHog's verdicts by the events' uuids. An event without a verdict was not stored. */
export type Verdicts = z.infer<typeof resultsSchema>;

/**
 * Sends a request to PostHog. It follows no redirect, so that key and events reach only the
 * configured host.
 *
 * @param body JSON to POST; absent: the request is a GET
 * @param ownHeaders added to the headers of every request
 * @returns the response, and its body as JSON; undefined if the body is not JSON
 * @throws (rejects with) the error of `fetch`
 */
export async function askPosthog(
  url: string,
  key: string,
  signal: AbortSignal,
  body?: object,
  ownHeaders = {},
) {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...ownHeaders },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal,
  });
  const json: unknown = await answer.json().catch((cause) => {
    if (!(cause instanceof SyntaxError)) throw cause;
  });
  return { answer, json };
}

/** PostHog's project, and how to reach it. */
export interface Project {
  /** Origin of PostHog's ingestion. */
  host: string;
  key: string;
  /** Timeout for a whole answer. Milliseconds. */
  timeoutMs?: number | undefined;
  now?: Clock | undefined;
}

/**
 * Sends events to PostHog.
 *
 * @param events with distinct uuids
 * @returns the verdicts; or `badBatch`, the code with which PostHog refused the whole batch because
 * of one event
 * @throws (rejects with) an Error for operators if PostHog takes nothing now. It has `retryAfterMs`
 * if PostHog answered
 */
export async function postBatch(
  { host, key, timeoutMs = REQUEST_TIMEOUT_MS, now = Date.now }: Project,
  events: readonly PosthogEvent[],
  signal: AbortSignal,
): Promise<{ verdicts: Verdicts } | { badBatch: string }> {
  const sentAt = new Date(now()).toISOString();
  if (events.length === 0) return { verdicts: {} };
  const body = { created_at: sentAt, batch: events.map(toCaptureV1) };
  const abortSignal = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]);
  const response = askPosthog(host + CAPTURE_PATH, key, abortSignal, body, {
    'user-agent': CLIENT,
    'posthog-sdk-info': CLIENT,
    'posthog-attempt': '1',
    'posthog-request-id': randomUUID(),
    'posthog-request-timestamp': sentAt,
  });
  const { answer, json } = await response.catch(({ name }: Error) => {
    const fault = name === 'TimeoutError' ? 'did not answer in time' : 'cannot be reached';
    throw new Error(`${host} ${fault}`);
  });
  return readAnswer(host, answer, json, now());
}

/**
 * Converts an event to the format of Capture V1, which has some properties as fields or options.
 * The browser's time is sent uncorrected: see "Wrong clocks" in docs/tracking-plan.md.
 */
function toCaptureV1({ uuid, event, distinct_id, timestamp, properties }: PosthogEvent) {
  const { $session_id, $process_person_profile, ...rest } = properties;
  return {
    event,
    uuid,
    distinct_id,
    timestamp,
    ...($session_id !== null && { session_id: $session_id }),
    options: { disable_skew_correction: true, process_person_profile: $process_person_profile },
    properties: rest,
  };
}

/** Reads PostHog's response. @throws as `postBatch` */
function readAnswer(host: string, { status, headers }: Response, json: unknown, now: number) {
  const { error: tag, results } = answerSchema.safeParse(json).data ?? {};
  if (status === 200 && results) return { verdicts: results };
  if (status === 413 || (tag && EVENT_ERRORS.includes(tag)))
    return { badBatch: tag ?? `http_${status}` };
  if (status === 404) throw new Error(describeMissingCapture(host));
  const answered = `${host} answered ${status}${tag ? ` (${tag})` : ''}`;
  const reason = status === 200 ? `${host} gave an answer that is not PostHog’s` : answered;
  const retryAfterMs = readRetryAfter(headers.get('retry-after') ?? '', now);
  throw Object.assign(new Error(reason), { retryAfterMs });
}

/**
 * Explains a 404 to operators: a self-hosted PostHog serves Capture V1 only if that is configured.
 */
export const describeMissingCapture = (host: string): string =>
  `${host} has no Capture V1 (404 for ${CAPTURE_PATH}), so it is not the host that takes events, or a PostHog that does not serve it`;

/**
 * Reads the header `Retry-After`.
 *
 * @param value seconds, or an HTTP date
 * @returns milliseconds; 0 if it cannot be read
 */
function readRetryAfter(value: string, now: number): number {
  const ms = /^\d+$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - now;
  return Math.min(Math.max(ms || 0, 0), MAX_RETRY_AFTER_MS);
}
