import { MAX_PAGE_URL, MAX_REFERRER, MAX_USER_AGENT } from '#contract/limits.ts';
import { validIp } from './ip-lookup.ts';
import type { Click } from './make-click.ts';

const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
/** The server has the list of events. It may be newer than the script of this tab. */
const MAX_EVENT = 64;
/**
 * Characters of the facts of a visit, as JSON. The server leaves out invalid ones, but rejects a
 * long body.
 */
const MAX_FACTS = 1000;

/**
 * Reads a click back from storage, which belongs to the visitor and can hold anything.
 *
 * @param id of the click, by the name of its key
 * @returns null for anything that is not a click of ours, because the server would reject it
 */
export function readClick(id: string, text: string): Click | null {
  try {
    // The delivery sets `dropped` and `sent_at`.
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

/** ISO 8601, UTC, with milliseconds, as `Date` writes it. */
const isTimestamp = (value: unknown): boolean =>
  typeof value === 'string' && value.length === 24 && new Date(value).toISOString() === value;
