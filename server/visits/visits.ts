/**
 * Visits: one anonymous row a page view, for the number of clicks per visit. A row has no address, browser or id of the visit.
 */
import { createHash } from 'node:crypto';
import type { VisitProperties } from '#contract/events.ts';
import { defineWork, type Session } from '../database/database.ts';

/** The columns of `visits`. */
export type Visit = NonNullable<ReturnType<typeof makeVisit>>;

/** Upper bound for the path of a page, in characters. Those of this site are shorter. */
const MAX_PATH = 256;

interface PageView {
  uuid: string;
  properties: VisitProperties;
}

/**
 * Makes the row of a `$pageview`.
 *
 * @param viewedAt milliseconds since 1970, by the server's clock
 * @returns null if the event names no page. Pure
 */
export function makeVisit({ uuid, properties }: PageView, isBot: boolean, viewedAt: number) {
  const { $pathname, referrer, referring_class, screen_class } = properties;
  if ($pathname === null) return null;
  const { utm_source, utm_medium, utm_campaign, utm_content, utm_term } = properties;
  return {
    id: createHash('sha256').update(uuid).digest('hex'),
    viewed_at: viewedAt,
    page: $pathname.slice(0, MAX_PATH),
    referrer: referrer && storable(referrer),
    ...{ utm_source, utm_medium, utm_campaign, utm_content, utm_term },
    referring_class,
    screen_class,
    is_bot: isBot,
  };
}

/** PostgreSQL takes no NUL and no half of a surrogate pair. */
const storable = (text: string): string => text.replace(/\p{Cc}/gu, '').toWellFormed();

/** Stores the visits that are new. A repeated event is the same visit. */
export async function insertVisits({ insertNew }: Session, visits: Visit[]): Promise<void> {
  await insertNew('visits', 'id', visits);
}

const DELETE = `DELETE FROM visits WHERE id IN (
  SELECT id FROM visits WHERE viewed_at < $1 ORDER BY viewed_at LIMIT $2) RETURNING id`;

/** @param before milliseconds since 1970 @returns the number of deleted rows, at most `limit` */
export const deleteVisits = defineWork(
  import.meta.url,
  'deleteVisits',
  async ({ run }, before: number, limit: number): Promise<number> =>
    (await run(DELETE, [before, limit])).length,
);
