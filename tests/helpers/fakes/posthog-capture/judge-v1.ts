/** Judges a V1 request in PostHog's order. */
import type { IncomingHttpHeaders } from 'node:http';
import { checkHeaders, type Head, isTime, isUuid, Refusal } from './check-headers.ts';
import type { StoredEvent } from './event-store.ts';
import { isObject, judgeEvent, type RawEvent } from './judge-event.ts';
import type { Entry } from './script.ts';
import type { World } from './world.ts';

const KEYS = ['event', 'uuid', 'distinct_id', 'timestamp'];
const MAX_BYTES = 10 * 1024 * 1024;

export interface Judged {
  event: StoredEvent;
  entry: Entry;
}

/** @throws Refusal */
export function judgeV1(headers: IncomingHttpHeaders, body: string, world: World): Judged[] {
  const head = checkHeaders(headers);
  if (body === '') throw new Refusal(400, 'empty_body');
  if (body.length > MAX_BYTES) throw new Refusal(413, 'payload_too_large');
  const judged = readBatch(body).map((event) => ({
    event: toStored(event, head),
    entry: judgeEvent(event),
  }));
  if (judged.some(({ event }) => world.poisonous.has(event.uuid)))
    throw new Refusal(400, 'request_parsing_error');
  return judged;
}

function readBatch(text: string): RawEvent[] {
  const message = parse(text);
  if (!isObject(message)) throw new Refusal(400, 'request_parsing_error');
  const { created_at, batch } = message;
  if (typeof created_at !== 'string' || !Array.isArray(batch)) {
    throw new Refusal(400, 'request_parsing_error');
  }
  if (
    !batch.every((event) => isObject(event) && KEYS.every((key) => typeof event[key] === 'string'))
  )
    throw new Refusal(400, 'request_parsing_error');
  if (batch.length === 0) throw new Refusal(400, 'empty_batch');
  if (!isTime(created_at)) throw new Refusal(400, 'invalid_batch');
  checkUuids(batch);
  return batch;
}

function checkUuids(batch: RawEvent[]): void {
  const uuids = batch.map(({ uuid }) => uuid.trim());
  if (uuids.includes('')) throw new Refusal(400, 'missing_event_uuid');
  if (!uuids.every(isUuid)) throw new Refusal(400, 'invalid_event_uuid');
  if (new Set(uuids.map(canonicalUuid)).size < uuids.length) {
    throw new Refusal(400, 'duplicate_event_uuid');
  }
}

/** PostHog writes UUIDs in lower case. */
export const canonicalUuid = (uuid: string): string => uuid.trim().toLowerCase();

function toStored(event: RawEvent, { sdk, token }: Head): StoredEvent {
  const options = isObject(event.options) ? event.options : {};
  const { disable_skew_correction: isExact, process_person_profile: profile } = options;
  const [, lib, version] = /^(.*)\/([^/]*)$/.exec(sdk) ?? [];
  return {
    uuid: canonicalUuid(event.uuid),
    event: event.event,
    distinct_id: event.distinct_id.trim(),
    // PostHog corrects other times by the sender's clock.
    timestamp: isExact === true ? event.timestamp : new Date().toISOString(),
    properties: {
      ...(isObject(event.properties) && event.properties),
      ...(typeof event.session_id === 'string' && { $session_id: event.session_id }),
      ...(typeof profile === 'boolean' && { $process_person_profile: profile }),
      ...(lib && { $lib: lib, $lib_version: version }),
    },
    token,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'request_parsing_error');
  }
}
