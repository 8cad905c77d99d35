/** Judges one event of a V1 batch. */
import { isTime } from './check-headers.ts';
import type { Entry } from './script.ts';

export type RawEvent = Record<string, unknown> & {
  event: string;
  uuid: string;
  distinct_id: string;
  timestamp: string;
};

const MAX_NAME_BYTES = 200;
const MAX_EVENT_BYTES = 1_000_000;

export function judgeEvent(event: RawEvent): Entry {
  const fault = faultOf(event);
  return fault ? { result: 'drop', details: fault } : { result: 'ok' };
}

function faultOf(event: RawEvent): string | null {
  const distinctId = event.distinct_id.trim();
  const { options, properties } = event;
  if (event.event === '') return 'missing_event_name';
  if (Buffer.byteLength(event.event) > MAX_NAME_BYTES) return 'event_name_too_long';
  if (event.event === '$performance_event') return 'dropped_performance_event';
  if (distinctId === '') return 'missing_distinct_id';
  if (Buffer.byteLength(distinctId) > MAX_NAME_BYTES) return 'distinct_id_too_large';
  if (!isTime(event.timestamp)) return 'invalid_event_timestamp';
  if (options !== undefined && !isObject(options)) return 'invalid_options';
  if (properties !== undefined && !isObject(properties)) return 'malformed_event_properties';
  return JSON.stringify(event).length > MAX_EVENT_BYTES ? 'event_too_big' : null;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
