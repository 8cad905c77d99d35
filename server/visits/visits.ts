/** Visits: one anonymous row a page view, for the number of clicks per visit. A row has no address, browser or id of the visit. */
import { createHash } from 'node:crypto';
import type { VisitProperties } from './visit-properties.ts';

/** The columns of `visits`. A repeated event is the same visit. */
export type Visit = NonNullable<ReturnType<typeof makeVisit>>;

/**
 * @param marks a visit with one of them counts nowhere
 * @param viewedAt milliseconds, by the server's clock
 * @returns the row of a `$pageview`; null if the event names no page
 */
export function makeVisit(
  { uuid, properties }: { uuid: string; properties: VisitProperties },
  marks: { is_bot: boolean; is_internal: boolean },
  viewedAt: number,
) {
  const { $pathname, referrer, referring_class, screen_class } = properties;
  if ($pathname === null) return null;
  const { utm_source, utm_medium, utm_campaign, utm_content, utm_term } = properties;
  return {
    id: createHash('sha256').update(uuid).digest('hex'),
    viewed_at: viewedAt,
    page: $pathname,
    referrer,
    ...{ utm_source, utm_medium, utm_campaign, utm_content, utm_term },
    referring_class,
    screen_class,
    ...marks,
  };
}
