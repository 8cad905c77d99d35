/** Judges a V1 request in PostHog's order. */
import type { IncomingHttpHeaders } from 'node:http';
import { checkHeaders, type Head, isTime, isUuid } from './check-headers.ts';
import type { StoredEvent } from './event-store.ts';
import { isObject, judgeEvent, type RawEvent, readBoolean } from './judge-event.ts';
import { Refusal } from './refusal.ts';
import type { Entry } from './script.ts';
import type { World } from './world.ts';

const KEYS = ['event', 'uuid', 'distinct_id', 'timestamp'];
const HOUR_MS = 60 * 60 * 1000;
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
    event: toStored(event, head, world.now()),
    entry: judgeEvent(event),
  }));
  if (judged.some(({ event }) => world.poisonous.has(event.uuid)))
    throw new Refusal(400, 'request_parsing_error');
  if (world.isOverQuota && judged.some(({ entry }) => entry.result === 'ok')) {
    throw new Refusal(402, 'billing_limit_exceeded');
  }
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

/** PostHog writes UUIDs in lower case with hyphens, however they were sent. */
export const canonicalUuid = (uuid: string): string =>
  uuid
    .trim()
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

function toStored(event: RawEvent, head: Head, now: number): StoredEvent {
  const options = isObject(event.options) ? event.options : {};
  const isExact = readBoolean(options.disable_skew_correction) === true;
  const profile = readBoolean(options.process_person_profile);
  const [, lib, version] = /^(.*)\/([^/]*)$/.exec(head.sdk) ?? [];
  return {
    uuid: canonicalUuid(event.uuid),
    event: event.event,
    distinct_id: event.distinct_id.trim(),
    timestamp: storedTime(event.timestamp, isExact, head.sentAt, now),
    properties: {
      ...(isObject(event.properties) && event.properties),
      ...(typeof event.session_id === 'string' && { $session_id: event.session_id }),
      ...(profile !== null && { $process_person_profile: profile }),
      ...(lib && { $lib: lib, $lib_version: version }),
    },
    token: head.token,
  };
}

/** Corrects the sender's clock, and takes the time of the server for an event in the future. */
function storedTime(timestamp: string, isExact: boolean, sentAt: number, now: number): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time) || isExact) return timestamp;
  const corrected = time - (sentAt - now);
  return new Date(corrected > now + 23 * HOUR_MS ? now : corrected).toISOString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'request_parsing_error');
  }
}
