/** Judges a request of the older protocol, V0. */
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { tokenFault } from './check-headers.ts';
import type { StoredEvent } from './event-store.ts';
import { isObject } from './judge-event.ts';
import { canonicalUuid } from './judge-v1.ts';
import { Refusal } from './refusal.ts';

type Fields = Record<string, unknown>;

const MAX_BYTES = 20 * 1024 * 1024;

/** @throws Refusal with the plain text of the answer */
export function judgeV0(body: Buffer, now: number): StoredEvent[] {
  if (body.length > MAX_BYTES) {
    throw new Refusal(413, '', `maximum event size exceeded: ${body.length}`);
  }
  const message = parse(unpack(body).toString());
  const { batch, around } = toBatch(message);
  if (batch.length === 0) throw new Refusal(400, '', 'no events in batch');
  const token = readToken(batch, around);
  const isBatch = isObject(message) && Array.isArray(message.batch);
  const historical = isBatch && message.historical_migration === true;
  const sentAt = typeof around.sent_at === 'string' ? Date.parse(around.sent_at) : Number.NaN;
  const skew = Number.isNaN(sentAt) ? 0 : sentAt - now;
  return batch.map((event) => toStored(event, { token, historical, skew, now }));
}

function toBatch(message: unknown): { batch: Fields[]; around: Fields } {
  const found = Array.isArray(message)
    ? { batch: message, around: {} }
    : isObject(message) && Array.isArray(message.batch)
      ? { batch: message.batch, around: message }
      : { batch: [message], around: {} };
  if (!found.batch.every(isObject)) throw new Refusal(400, '', 'failed to parse request');
  return found;
}

const tokenOf = (fields: Fields): unknown => fields.token ?? fields.$token ?? fields.api_key;

function readToken(batch: Fields[], around: Fields): string {
  const tokens = batch.map(
    (event) =>
      tokenOf(around) ??
      tokenOf(event) ??
      (isObject(event.properties) ? tokenOf(event.properties) : undefined),
  );
  const [token] = tokens;
  if (typeof token !== 'string') {
    throw new Refusal(401, '', 'event submitted without an api_key');
  }
  if (tokens.some((other) => other !== token)) {
    throw new Refusal(401, '', 'batch submitted with inconsistent api_key values');
  }
  const fault = tokenFault(token);
  if (fault) throw new Refusal(401, '', `API key is not valid: ${fault}`);
  return token;
}

interface Around {
  token: string;
  historical: boolean;
  /** Milliseconds that the sender's clock is ahead. */
  skew: number;
  now: number;
}

function toStored(fields: Fields, { token, historical, skew, now }: Around): StoredEvent {
  const { event, uuid, timestamp } = fields;
  const properties = isObject(fields.properties) ? fields.properties : {};
  const distinctId = fields.distinct_id ?? fields.$distinct_id ?? properties.distinct_id;
  if (typeof event !== 'string' || event === '') {
    throw new Refusal(400, '', 'event submitted with an empty event name');
  }
  if (distinctId === undefined || distinctId === '') {
    throw new Refusal(400, '', 'event submitted with an empty distinct_id');
  }
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : now;
  if (Number.isNaN(time)) throw new Refusal(400, '', 'event submitted with an invalid timestamp');
  const isExact = properties.$ignore_sent_at === true || skew === 0;
  return {
    uuid: typeof uuid === 'string' && uuid !== '' ? canonicalUuid(uuid) : randomUUID(),
    event,
    distinct_id: String(distinctId).slice(0, 200),
    timestamp:
      isExact && typeof timestamp === 'string' ? timestamp : new Date(time - skew).toISOString(),
    properties,
    historical,
    protocol: 'v0',
    token,
  };
}

/** Gzip without a Content-Encoding (magic 1f 8b), a form's `data=` in base64, or plain. */
function unpack(body: Buffer): Buffer {
  if (body[0] === 0x1f && body[1] === 0x8b) return gunzipSync(body);
  const text = body.toString();
  if (!text.startsWith('data=')) return body;
  return unpack(Buffer.from(new URLSearchParams(text).get('data') ?? '', 'base64'));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, '', 'failed to parse request');
  }
}
