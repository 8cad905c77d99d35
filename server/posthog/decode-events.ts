/** The three forms in which posthog-js sends events: JSON, gzip as text/plain, and a beacon's form field in base64. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { HttpError } from '../http-error.ts';

/** A batch unpacked; PostHog itself takes 20 MB. */
const UNPACKED_BYTES = 8 * 1024 * 1024;
const unpack = promisify(gunzip);

export interface PosthogEvent {
  uuid?: string;
  [property: string]: unknown;
}

/** Events, and how to put them back into the envelope they came in. */
export interface Decoded {
  events: PosthogEvent[];
  wrap(events: PosthogEvent[]): unknown;
}

/** @throws (rejects with) HttpError 400 when it is none of the three */
export async function decodeEvents(body: Buffer): Promise<Decoded> {
  try {
    return findEvents(JSON.parse(await toText(body)));
  } catch (cause) {
    throw new HttpError(400, 'malformed_events', 'These are no PostHog events.', { cause });
  }
}

async function toText(body: Buffer): Promise<string> {
  if (isGzip(body)) return (await unpack(body, { maxOutputLength: UNPACKED_BYTES })).toString();
  const text = body.toString();
  if (!text.startsWith('data=')) return text;
  const data = Buffer.from(new URLSearchParams(text).get('data') ?? '', 'base64');
  return toText(data);
}

const isGzip = (body: Buffer) => body[0] === 0x1f && body[1] === 0x8b;

function findEvents(message: unknown): Decoded {
  if (Array.isArray(message)) return { events: message.map(toEvent), wrap: (events) => events };
  const envelope = toEvent(message);
  if (Array.isArray(envelope.batch)) {
    const { batch } = envelope;
    return { events: batch.map(toEvent), wrap: (events) => ({ ...envelope, batch: events }) };
  }
  if (typeof envelope.event !== 'string') throw new TypeError('neither an event nor a batch');
  return { events: [envelope], wrap: ([event]) => event };
}

function toEvent(value: unknown): PosthogEvent {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('not an object');
  }
  return value as PosthogEvent;
}
