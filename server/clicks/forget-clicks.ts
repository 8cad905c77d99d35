/**
 * Forgets clicks: their personal columns become NULL. Id, event, time and flags stay, so that a repeated click is still a duplicate
 * and the totals stay right.
 */
import { COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import { defineWork } from '../database/database.ts';
import type { Reader } from '../database/open-reader.ts';

const FIND = `SELECT id, visit_id, is_bot OR is_internal OR is_private FROM clicks WHERE visit_id = $1 OR ip = $2 OR remote_ip = $2
  OR visit_id IN (SELECT visit_id FROM clicks WHERE ip = $2 OR remote_ip = $2)`;
const EVENTS = 'SELECT uuid, event FROM posthog_outbox WHERE event IS NOT NULL';

/** All that the database has of a visitor. */
export type Visitor = Awaited<ReturnType<typeof findVisitor>>;

/** Reads the whole table. An address leads to its visits, because all clicks of a visit are of one person. */
export async function findVisitor(reader: Reader, visit: string | null, address: string | null) {
  const clicks = new Set<string>();
  const visits = new Set(visit === null ? [] : [visit]);
  /** PostHog's names (`distinct_id`) of the visitor. */
  const persons = new Set(visits);
  type Found = [id: string, visit: string | null, isUnsent: boolean | 0 | 1];
  await reader.each(FIND, [visit, address], ([id, ofVisit, isUnsent]: Found) => {
    clicks.add(id);
    if (ofVisit !== null) visits.add(ofVisit);
    if (!isUnsent) persons.add(ofVisit ?? id);
  });
  /** Uuids of browsers' events that PostHog has not taken. */
  const events: string[] = [];
  await reader.each(EVENTS, [], ([uuid, event]: [string, string]) => {
    if (visits.has(JSON.parse(event).distinct_id)) events.push(uuid);
  });
  return { address, clicks, visits, persons, events };
}

const PERSONAL = [
  ...['clicked_at', 'sent_at', 'visit_id', 'referrer', 'referring_domain', 'page_url'],
  ...['user_agent', 'is_mobile', 'ip', 'remote_ip', 'req_id'],
  ...[...CAMPAIGN_PARAMETERS, ...COPIED_NAMES],
];
/** $1: id, $2: now. */
export const FORGET = `UPDATE clicks SET forgotten_at = $2, ${PERSONAL.map((name) => `${name} = NULL`).join(', ')}
  WHERE id = $1 AND forgotten_at IS NULL`;
const DELETE_EVENT = 'DELETE FROM posthog_outbox WHERE uuid = $1 RETURNING refused';

/** @param uuids of clicks and of browsers' events @returns whether the sender may have one of them under way */
export const forgetRows = defineWork(
  import.meta.url,
  'forgetRows',
  async ({ run, runEach }, uuids: string[], now: number): Promise<boolean> => {
    const values = uuids.map((uuid) => [uuid, now]);
    await runEach(FORGET, values);
    const deleted = await Promise.all(uuids.map((uuid) => run(DELETE_EVENT, [uuid])));
    return deleted.flat().some(({ refused }) => refused === null);
  },
);
