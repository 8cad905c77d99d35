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

/** Placeholders that programs send instead of an id. */
const PLACEHOLDERS = new Set([
  ...['0', '00000000-0000-0000-0000-000000000000', '[object object]', 'anonymous'],
  ...['anonymous-user', 'backend', 'distinct_id', 'distinctid', 'email', 'false', 'guest', 'id'],
  ...['nan', 'none', 'not_authenticated', 'null', 'system', 'true', 'undefined', 'user'],
]);

export function judgeEvent(event: RawEvent): Entry {
  const fault = faultOf(event);
  if (fault) return { result: 'drop', details: fault };
  const isPlaceholder = PLACEHOLDERS.has(event.distinct_id.trim().toLowerCase());
  return isPlaceholder ? { result: 'ok', details: 'person_processing_disabled' } : { result: 'ok' };
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
  if (options !== undefined && options !== null && !areOptions(options)) return 'invalid_options';
  if (properties !== undefined && !isObject(properties)) return 'malformed_event_properties';
  return JSON.stringify(event).length > MAX_EVENT_BYTES ? 'event_too_big' : null;
}

const BOOLEANS = ['process_person_profile', 'disable_skew_correction', 'cookieless_mode'];

function areOptions(options: unknown): boolean {
  if (!isObject(options)) return false;
  const { product_tour_id: tour } = options;
  return (
    BOOLEANS.every((name) => options[name] == null || readBoolean(options[name]) !== null) &&
    (tour == null || typeof tour === 'string' || Number.isInteger(tour))
  );
}

/** @returns null if the value cannot be read */
export function readBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (value === 'true' || value === '1') return true;
  return value === 'false' || value === '0' ? false : null;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
