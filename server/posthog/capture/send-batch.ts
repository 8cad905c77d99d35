/** `POST /batch/`: PostHog's older protocol. It answers once for the whole request, and its 200 proves nothing. */
import { z } from 'zod';
import { readRetryAfter } from '../retry-after.ts';
import type { CaptureEvent } from './capture.ts';
import { describeFailure, unreadable } from './failed-reply.ts';
import { parseJson, type Reply } from './post-json.ts';
import { failedRound, MAX_RETRY_AFTER_MS, type Round, refusedEvent } from './round.ts';

export const BATCH_PATH = '/batch/';

const successSchema = z.object({
  status: z.union([z.literal('Ok'), z.literal(1)]),
  quota_limited: z.array(z.string()).optional(),
});

/** Leaves out `sent_at`, because PostHog would correct the events' times with it. */
export function batchBody(
  key: string,
  client: string,
  events: readonly CaptureEvent[],
  historical: boolean,
) {
  const [$lib, $lib_version] = client.split('/');
  return {
    api_key: key,
    ...(historical && { historical_migration: true }),
    batch: events.map((event) => ({
      ...event,
      properties: { ...event.properties, $lib, $lib_version },
    })),
  };
}

/** @param now milliseconds since 1970, for a `Retry-After` with a date */
export function readBatchReply(
  url: string,
  reply: Reply,
  events: readonly CaptureEvent[],
  now: number,
): Round {
  if (reply.status === null) return failedRound(describeFailure(url, reply, null));
  const retryAfterMs = readRetryAfter(reply.headers.get('retry-after'), now, MAX_RETRY_AFTER_MS);
  if (reply.status === 200) return readSuccess(url, reply.text, retryAfterMs);
  const isTooLarge = reply.status === 413;
  if (isTooLarge && events.length === 1 && reply.text?.startsWith('maximum event size exceeded')) {
    return refusedEvent('payload_too_large');
  }
  const tag = reply.text?.includes('billing_limit_exceeded') ? 'billing_limit_exceeded' : null;
  const trouble = describeFailure(url, reply, tag);
  if (reply.status === 404) return failedRound(trouble, retryAfterMs, 'not_served');
  // One malformed event fails the request, and the answer does not say which.
  return failedRound(trouble, retryAfterMs, isTooLarge || reply.status === 400 ? 'split' : null);
}

function readSuccess(url: string, text: string | null, retryAfterMs: number | null): Round {
  const answer = successSchema.safeParse(parseJson(text)).data;
  if (!answer) return failedRound(unreadable(url), retryAfterMs);
  const isLimited = answer.quota_limited?.includes('events') ?? false;
  return {
    judge: () => ({ verdict: 'accepted', detail: isLimited ? 'quota_limited' : null }),
    retryAfterMs,
    trouble: isLimited
      ? {
          kind: 'over_quota',
          detail: 'quota_limited',
          message: `${url} answered that the project is over its quota.`,
        }
      : null,
    hint: null,
  };
}
