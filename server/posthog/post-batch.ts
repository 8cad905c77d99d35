/**
 * One request to PostHog's Capture V1, `POST /i/v1/analytics/events`, which answers with a verdict
 * for each event.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Clock, MINUTE_MS, SECOND_MS } from '../time.ts';
import type { PosthogEvent } from './make-event.ts';

/** The address of Capture V1. */
export const CAPTURE_PATH = '/i/v1/analytics/events';
const CLIENT = 'sma-data-drive-server/1';
/** Upper bound for one answer: headers and body together. */
export const REQUEST_MS = 10 * SECOND_MS;
/** Upper bound for `Retry-After`, in case PostHog's clock or ours is wrong. */
const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;

/** Errors that a single event causes for its whole batch. */
const EVENT_ERRORS = [
  'request_parsing_error',
  'missing_event_uuid',
  'invalid_event_uuid',
  'duplicate_event_uuid',
  'payload_too_large',
];

const word = z.string().regex(/^[\w-]{1,64}$/);
/** An unreadable part is as if it were missing. */
const undefinedIfInvalid = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const verdictSchema = undefinedIfInvalid(
  z.object({ result: word, details: word.nullable().catch(null) }),
);
const resultsSchema = z.record(z.string().toLowerCase(), verdictSchema);
const answerSchema = z.object({
  error: undefinedIfInvalid(word),
  results: undefinedIfInvalid(resultsSchema),
});

/** By uuid. An event without a verdict was not stored. */
export type Verdicts = z.infer<typeof resultsSchema>;

/**
 * Asks PostHog. Follows no redirect, because key and events go only to the configured host.
 *
 * @param body without it, the request is a GET
 * @param ownHeaders sent with those of every request
 * @returns the answer, and its JSON: undefined if it is not JSON
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

export interface Project {
  /** Origin of PostHog's ingestion. */
  host: string;
  key: string;
  /** Upper bound for one answer. */
  timeoutMs?: number | undefined;
  now?: Clock | undefined;
}

/**
 * @param events each uuid once
 * @returns verdicts, or why one of the events is at fault
 * @throws (rejects with) an Error for operators when PostHog takes nothing now, with `retryAfterMs`
 * if PostHog names a time
 */
export async function postBatch(
  { host, key, timeoutMs = REQUEST_MS, now = Date.now }: Project,
  events: readonly PosthogEvent[],
  signal: AbortSignal,
): Promise<{ verdicts: Verdicts } | { badBatch: string }> {
  const sentAt = new Date(now()).toISOString();
  if (events.length === 0) return { verdicts: {} };
  const body = { created_at: sentAt, batch: events.map(toCaptureV1) };
  const either = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]);
  const asked = askPosthog(host + CAPTURE_PATH, key, either, body, {
    'user-agent': CLIENT,
    'posthog-sdk-info': CLIENT,
    'posthog-attempt': '1',
    'posthog-request-id': randomUUID(),
    'posthog-request-timestamp': sentAt,
  });
  const { answer, json } = await asked.catch(({ name }: Error) => {
    const fault = name === 'TimeoutError' ? 'did not answer in time' : 'cannot be reached';
    throw new Error(`${host} ${fault}`);
  });
  return readAnswer(host, answer, json, now());
}

/**
 * Moves the properties that V1 has as fields or options. The browser's time stays: see "Wrong
 * clocks" in docs/tracking-plan.md.
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

/** Says what a 404 means: a self-hosted PostHog serves Capture V1 only where that is set up. */
export const describeMissingCapture = (host: string): string =>
  `${host} has no Capture V1 (404 for ${CAPTURE_PATH}), so it is not the host that takes events, or a PostHog that does not serve it`;

/** @param value seconds, or an HTTP date @returns milliseconds */
function readRetryAfter(value: string, now: number): number {
  const ms = /^\d+$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - now;
  return Math.min(Math.max(ms || 0, 0), MAX_RETRY_AFTER_MS);
}
