/** Finds all data of one visitor in the database, and erases it (`site forget`). */
import type { Database } from '../database/database.ts';
import type { Reader } from '../database/open-reader.ts';
import type { ForgottenClick, NewClickRow } from './click.ts';
import { forgetRows } from './forget-rows.ts';
import { PERSONAL_COLUMNS } from './personal-columns.ts';

/**
 * Finds the clicks of a visit, of an address, and of all visits that used the address. `is_unsent`
 * says whether PostHog certainly never got the click. For a click that an operator has marked it is
 * false, because the click may have been sent before the marking.
 */
const FIND_CLICKS = `
  SELECT id, visit_id, event, received_at, via, is_bot, is_internal, is_automated, is_private,
    is_private OR (is_bot OR is_internal) AND marking IS NULL AS is_unsent
  FROM clicks
  WHERE visit_id = $1
    OR ip = $2
    OR remote_ip = $2
    OR visit_id IN (SELECT visit_id FROM clicks WHERE ip = $2 OR remote_ip = $2)`;
const FIND_EVENTS_OF_BROWSERS = `
  SELECT uuid, event
  FROM posthog_outbox
  WHERE event IS NOT NULL`;

/** A boolean column. SQLite returns 0 or 1, PostgreSQL a boolean. */
type Flag = boolean | 0 | 1;
type FoundClick = [
  id: string,
  visit: string | null,
  event: string,
  receivedAt: number | string,
  via: NewClickRow['via'],
  isBot: Flag,
  isInternal: Flag,
  isAutomated: Flag,
  isPrivate: Flag,
  isUnsent: Flag,
];

/** All data of one visitor in the database. */
export type Visitor = Awaited<ReturnType<typeof findVisitor>>;

/**
 * Finds a visitor's clicks and waiting events. Reads the whole table. An address leads to all
 * clicks of its visits, because one visit is one person.
 *
 * @param visit a visit id, or null
 * @param address a plain address, or null
 */
export async function findVisitor(reader: Reader, visit: string | null, address: string | null) {
  const clicks = new Map<string, ForgottenClick>();
  const visits = new Set(visit === null ? [] : [visit]);
  /** The ids (`distinct_id`) under which PostHog may have the visitor. */
  const distinctIds = new Set(visits);
  await reader.each(FIND_CLICKS, [visit, address], (found: FoundClick) => {
    const [id, ofVisit, event, receivedAt, via, ...flags] = found;
    const [isBot, isInternal, isAutomated, isPrivate, isUnsent] = flags;
    clicks.set(id, {
      id,
      event,
      received_at: Number(receivedAt),
      via,
      is_bot: Boolean(isBot),
      is_internal: Boolean(isInternal),
      is_automated: Boolean(isAutomated),
      is_private: Boolean(isPrivate),
    });
    if (ofVisit !== null) visits.add(ofVisit);
    if (!isUnsent) distinctIds.add(ofVisit ?? id);
  });
  /** Uuids of browsers' events that still wait for PostHog. */
  const events: string[] = [];
  await reader.each(FIND_EVENTS_OF_BROWSERS, [], ([uuid, event]: [string, string]) => {
    if (visits.has(JSON.parse(event).distinct_id)) events.push(uuid);
  });
  return { address, clicks, visits, distinctIds, events };
}

/**
 * Erases the personal columns of clicks, and deletes waiting events.
 *
 * @param uuids ids of clicks and of browsers' events
 * @param now milliseconds since 1970
 * @returns whether PostHog's sender may have one of the events in the batch under way
 */
export const forgetClicks = (db: Database, uuids: string[], now: number): Promise<boolean> =>
  db.transaction(forgetRows, uuids, PERSONAL_COLUMNS, now);
