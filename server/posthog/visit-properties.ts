/**
 * Visits: the properties of their events in PostHog, and one anonymous row a page view, for the number of clicks per visit. A row
 * has no address, browser or id of the visit.
 */
import { createHash } from 'node:crypto';
import type { PlannedProperty, ValuesOf } from '#contract/events.ts';
import { SCREEN_CLASSES } from '#contract/visit.ts';
import { REFERRING_CLASSES } from '../clicks/referring-domain.ts';

const TEXT = { type: 'text' } as const;
const MAYBE_TEXT = { type: 'text', nullable: true } as const;

/**
 * The properties that every event of PostHog has, so that each step of a funnel can be broken down by them. docs/tracking-plan.md
 * says what they mean. Names are public: add, never rename.
 */
export const VISIT_PROPERTIES = {
  referrer: MAYBE_TEXT,
  visit_id: MAYBE_TEXT,
  $session_id: MAYBE_TEXT,
  $referring_domain: MAYBE_TEXT,
  referring_class: { ...MAYBE_TEXT, values: REFERRING_CLASSES },
  utm_source: MAYBE_TEXT,
  utm_medium: MAYBE_TEXT,
  utm_campaign: MAYBE_TEXT,
  utm_content: MAYBE_TEXT,
  utm_term: MAYBE_TEXT,
  $browser: MAYBE_TEXT,
  $os: MAYBE_TEXT,
  $device_type: MAYBE_TEXT,
  screen_class: { ...MAYBE_TEXT, values: SCREEN_CLASSES },
  $host: MAYBE_TEXT,
  $pathname: MAYBE_TEXT,
  $current_url: MAYBE_TEXT,
  $raw_user_agent: TEXT,
  $process_person_profile: { type: 'boolean', values: [false] },
  $ip: TEXT,
  $geoip_disable: { type: 'boolean', values: [true] },
} as const satisfies Record<string, PlannedProperty>;

export type VisitProperties = ValuesOf<typeof VISIT_PROPERTIES>;

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
