import { MAX_PAGE_URL, MAX_REFERRER, MAX_USER_AGENT } from '#contract/limits.ts';
import { validIp } from './ip-lookup.ts';
import type { Click } from './make-click.ts';

const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
/** The server has the list of events. It may be newer than the script of this tab. */
const MAX_EVENT = 64;
/** Five utm values, a host, a class, a number and a mark, as JSON. */
const MAX_FACTS = 1000;

/**
 * Reads a click back from storage, which belongs to the visitor and can hold anything.
 *
 * @param id of the click, by the name of its key
 * @returns null for anything that is not a click of ours, because the server would reject it
 */
export function readClick(id: string, text: string): Click | null {
  try {
    const click = JSON.parse(text) as Click;
    const isClick =
      click.id === id &&
      isId(id) &&
      isId(click.visit_id) &&
      isText(click.event, MAX_EVENT) &&
      (click.referrer === null || isText(click.referrer, MAX_REFERRER)) &&
      isTimestamp(click.timestamp) &&
      isText(click.page_url, MAX_PAGE_URL) &&
      /^https?:$/.test(new URL(click.page_url).protocol) &&
      isText(click.user_agent, MAX_USER_AGENT) &&
      typeof click.is_mobile === 'boolean';
    if (!isClick) return null;
    // The delivery sets `dropped` and `sent_at`.
    const { dropped: _, sent_at: __, ...kept } = click;
    return { ...(hasShortFacts(click) ? kept : withoutFacts(kept)), ip: validIp(click.ip) };
  } catch {
    return null;
  }
}

/** The server leaves out invalid facts, but rejects a long body. */
const hasShortFacts = ({ campaign, referring_domain, screen_class, seq, is_internal }: Click) =>
  JSON.stringify([campaign, referring_domain, screen_class, seq, is_internal]).length < MAX_FACTS;

function withoutFacts(click: Click): Click {
  const { campaign, referring_domain, screen_class, seq, is_internal, ...kept } = click;
  return kept;
}

const isId = (value: unknown): boolean => typeof value === 'string' && UUID_V7.test(value);

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length <= max;

/** ISO 8601, UTC, with milliseconds, as `Date` writes it. */
const isTimestamp = (value: unknown): boolean =>
  typeof value === 'string' && value.length === 24 && new Date(value).toISOString() === value;
