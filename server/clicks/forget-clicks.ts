/** Finds what the database has of a visitor, and forgets it. */
import type { Database } from '../database/database.ts';
import type { Reader } from '../database/open-reader.ts';
import type { Click, ForgottenClick } from './click.ts';
import { forgetRows } from './forget-rows.ts';
import { PERSONAL_COLUMNS } from './personal-columns.ts';

/**
 * The clicks of a visit, of an address, and of all visits that the address has clicks of. The last
 * column says whether PostHog never got the click. A click that an operator has marked may have
 * been sent before.
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

/** SQLite has 0 and 1 for booleans. */
type Flag = boolean | 0 | 1;
type FoundClick = [
  id: string,
  visit: string | null,
  event: string,
  receivedAt: number | string,
  via: Click['via'],
  isBot: Flag,
  isInternal: Flag,
  isAutomated: Flag,
  isPrivate: Flag,
  isUnsent: Flag,
];

/** All that the database has of a visitor. */
export type Visitor = Awaited<ReturnType<typeof findVisitor>>;

/**
 * Reads the whole table. An address leads to its visits, because all clicks of a visit are of one
 * person.
 */
export async function findVisitor(reader: Reader, visit: string | null, address: string | null) {
  const clicks = new Map<string, ForgottenClick>();
  const visits = new Set(visit === null ? [] : [visit]);
  /** PostHog's names (`distinct_id`) of the visitor. */
  const persons = new Set(visits);
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
    if (!isUnsent) persons.add(ofVisit ?? id);
  });
  /** Uuids of browsers' events that PostHog has not taken. */
  const events: string[] = [];
  await reader.each(FIND_EVENTS_OF_BROWSERS, [], ([uuid, event]: [string, string]) => {
    if (visits.has(JSON.parse(event).distinct_id)) events.push(uuid);
  });
  return { address, clicks, visits, persons, events };
}

/**
 * Forgets these rows.
 *
 * @param uuids of clicks and of browsers' events
 * @returns as `forgetRows` does
 */
export const forgetClicks = (db: Database, uuids: string[], now: number): Promise<boolean> =>
  db.transaction(forgetRows, uuids, PERSONAL_COLUMNS, now);
