/** Capture V1: `POST /i/v1/analytics/events`, with a verdict for each event. */
import { z } from 'zod';
import { readRetryAfter } from '../retry-after.ts';
import type { CaptureEvent } from './capture.ts';
import { describeFailure, unreadable } from './failed-reply.ts';
import { parseJson, type Reply } from './post-json.ts';
import {
  failedRound,
  type Judgement,
  MAX_RETRY_AFTER_MS,
  type Round,
  refusedEvent,
  uuidKey,
} from './round.ts';

export const V1_PATH = '/i/v1/analytics/events';

const errorSchema = z.object({ error: z.string().regex(/^\w{1,64}$/) });
const resultsSchema = z.object({ results: z.record(z.string(), z.unknown()) });
const resultSchema = z.object({
  result: z.string().regex(/^[\w-]{1,64}$/),
  details: z
    .string()
    .regex(/^[\w .:-]{1,200}$/)
    .nullish()
    .catch(null),
});

/** Errors that a single event causes for its whole batch. */
const EVENT_ERRORS = [
  ...['request_parsing_error', 'missing_event_uuid', 'invalid_event_uuid'],
  ...['duplicate_event_uuid', 'payload_too_large'],
];

/** The values that stay the same over all attempts of a batch. */
export interface V1Batch {
  requestId: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  historical: boolean;
}

export function v1Headers(
  { requestId }: V1Batch,
  { key, client, attempt, now }: { key: string; client: string; attempt: number; now: number },
): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'posthog-sdk-info': client,
    'posthog-attempt': `${attempt}`,
    'posthog-request-id': requestId,
    'posthog-request-timestamp': new Date(now).toISOString(),
  };
}

export function v1Body({ createdAt, historical }: V1Batch, events: readonly CaptureEvent[]) {
  return {
    created_at: createdAt,
    ...(historical && { historical_migration: true }),
    batch: events.map(toV1Event),
  };
}

/** Moves the properties that V1 has as fields or options. PostHog takes `$lib` from the headers. */
function toV1Event({ uuid, event, distinct_id, timestamp, properties }: CaptureEvent) {
  const {
    $session_id,
    $process_person_profile,
    $lib: _lib,
    $lib_version: _version,
    ...rest
  } = properties;
  return {
    event,
    uuid,
    distinct_id,
    timestamp,
    ...(typeof $session_id === 'string' && { session_id: $session_id }),
    options: {
      disable_skew_correction: true,
      ...(typeof $process_person_profile === 'boolean' && {
        process_person_profile: $process_person_profile,
      }),
    },
    properties: rest,
  };
}

/** @param now milliseconds since 1970, for a `Retry-After` with a date */
export function readV1Reply(
  url: string,
  reply: Reply,
  events: readonly CaptureEvent[],
  now: number,
): Round {
  if (reply.status === null) return failedRound(describeFailure(url, reply, null));
  const retryAfterMs = readRetryAfter(reply.headers.get('retry-after'), now, MAX_RETRY_AFTER_MS);
  const json = parseJson(reply.text);
  if (reply.status === 200) return readResults(url, json, events, retryAfterMs);
  const tag = errorSchema.safeParse(json).data?.error ?? null;
  const isEventError = tag !== null && EVENT_ERRORS.includes(tag);
  if (isEventError && events.length === 1) return refusedEvent(tag);
  const trouble = describeFailure(url, reply, tag);
  if (reply.status === 404) return failedRound(trouble, retryAfterMs, 'not_served');
  return failedRound(trouble, retryAfterMs, isEventError || reply.status === 413 ? 'split' : null);
}

function readResults(
  url: string,
  json: unknown,
  events: readonly CaptureEvent[],
  retryAfterMs: number | null,
): Round {
  const parsed = resultsSchema.safeParse(json);
  if (!parsed.success) return failedRound(unreadable(url), retryAfterMs);
  const judgements = new Map<string, Judgement>();
  for (const [uuid, entry] of Object.entries(parsed.data.results)) {
    const result = resultSchema.safeParse(entry).data;
    if (result) judgements.set(uuidKey(uuid), toJudgement(result.result, result.details ?? null));
  }
  const judge = ({ uuid }: CaptureEvent) => judgements.get(uuidKey(uuid)) ?? NOT_NAMED;
  const found = events.map(judge);
  if (found.every((judgement) => judgement === NOT_NAMED)) {
    return failedRound(unreadable(url), retryAfterMs);
  }
  const isAway = found.every(({ verdict }) => verdict === 'retry');
  const trouble = isAway ? nothingStored(url, found[0]?.detail) : null;
  return { judge, retryAfterMs, trouble, hint: null };
}

/** The answer does not name the event. */
const NOT_NAMED: Judgement = { verdict: 'retry', detail: 'missing_in_answer' };

const nothingStored = (url: string, detail: string | null | undefined) => ({
  kind: 'away' as const,
  detail: detail ?? 'retry',
  message: `${url} stored none of the events and asks for them again.`,
});

/** A verdict that this client does not know is final, as for PostHog's own clients, but it proves nothing. */
function toJudgement(result: string, details: string | null): Judgement {
  if (result === 'ok' || result === 'warning' || result === 'drop' || result === 'retry') {
    return { verdict: result, detail: details };
  }
  if (result === 'limited') return { verdict: 'warning', detail: details };
  return { verdict: 'accepted', detail: `unknown_verdict:${result}` };
}
