import { MAX_PAGE_URL, MAX_REFERRER, MAX_USER_AGENT } from '#contract/limits.ts';
import { validIp } from './ip-lookup.ts';
import type { Click } from './make-click.ts';

const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
/**
 * Longest name of an event. Any name below is kept, because only the server has the current list
 * of events: the script of an open tab may be older.
 */
const MAX_EVENT = 64;
/**
 * Most characters of JSON that a click's facts about its visit may have. The server ignores an
 * invalid fact, but rejects a click with a long body.
 */
const MAX_FACTS = 1000;

/**
 * Reads a click from the text of a localStorage entry. Extensions and visitors can write anything
 * there.
 *
 * @param id the click's id, which the entry's key contains
 * @returns the click; null for a text that the server would reject
 */
export function readClick(id: string, text: string): Click | null {
  try {
    // `dropped` and `sent_at` are left out, because each delivery sets its own.
    const { dropped: _, sent_at: __, ip, ...click } = JSON.parse(text) as Click;
    const { visit_id, event, referrer, timestamp, page_url, user_agent, is_mobile } = click;
    const isClick =
      click.id === id &&
      isId(id) &&
      isId(visit_id) &&
      isText(event, MAX_EVENT) &&
      (referrer === null || isText(referrer, MAX_REFERRER)) &&
      isTimestamp(timestamp) &&
      isText(page_url, MAX_PAGE_URL) &&
      /^https?:$/.test(new URL(page_url).protocol) &&
      isText(user_agent, MAX_USER_AGENT) &&
      typeof is_mobile === 'boolean';
    if (!isClick) return null;
    const kept = { id, visit_id, event, referrer, timestamp, page_url, user_agent, is_mobile };
    const sizeOfFacts = JSON.stringify(click).length - JSON.stringify(kept).length;
    return { ...(sizeOfFacts < MAX_FACTS ? click : kept), ip: validIp(ip) };
  } catch {
    return null;
  }
}

const isId = (value: unknown): boolean => typeof value === 'string' && UUID_V7.test(value);

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length <= max;

/** Whether a value is a time as `Date.toISOString` writes it: UTC, with milliseconds. */
const isTimestamp = (value: unknown): boolean =>
  typeof value === 'string' && value.length === 24 && new Date(value).toISOString() === value;
