/** Visits: one anonymous row a page view, for the number of clicks per visit. A row has no address, browser or id of the visit. */
import { createHash } from 'node:crypto';
import type { VisitProperties } from './visit-properties.ts';

/** The columns of `visits`. A repeated event is the same visit. */
export type Visit = NonNullable<ReturnType<typeof makeVisit>>;

/** Upper bound for the path of a page, in characters. Those of this site are shorter. */
const MAX_PATH = 256;

interface PageView {
  uuid: string;
  properties: VisitProperties;
}

/** Visits that count nowhere have one of these. */
interface Marks {
  is_bot: boolean;
  is_internal: boolean;
}

/** @returns the row of a `$pageview`; null if the event names no page. @param viewedAt milliseconds, by the server's clock */
export function makeVisit({ uuid, properties }: PageView, marks: Marks, viewedAt: number) {
  const { $pathname, referrer, referring_class, screen_class } = properties;
  if ($pathname === null) return null;
  const { utm_source, utm_medium, utm_campaign, utm_content, utm_term } = properties;
  return {
    id: createHash('sha256').update(uuid).digest('hex'),
    viewed_at: viewedAt,
    page: $pathname.slice(0, MAX_PATH),
    referrer,
    ...{ utm_source, utm_medium, utm_campaign, utm_content, utm_term },
    referring_class,
    screen_class,
    ...marks,
  };
}
