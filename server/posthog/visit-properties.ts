/** The visit properties: PostHog's properties about the page load, which every event has. */
import type { PlannedProperty, ValuesOf } from '#contract/events.ts';
import { SCREEN_CLASSES } from '#contract/visit.ts';
import { REFERRING_CLASSES } from '../http/referring-sites.ts';

const TEXT = { type: 'text' } as const;
const MAYBE_TEXT = { type: 'text', nullable: true } as const;

/**
 * The visit properties with their types. Every event has them, so that each step of a funnel can be
 * broken down by them. docs/tracking-plan.md explains them. Names are public: add, never rename.
 */
export const VISIT_PROPERTIES = {
  referrer: MAYBE_TEXT,
  ref_key: MAYBE_TEXT,
  visit_id: MAYBE_TEXT,
  $session_id: MAYBE_TEXT,
  $referring_domain: MAYBE_TEXT,
  referring_class: { ...MAYBE_TEXT, values: REFERRING_CLASSES },
  referring_site: MAYBE_TEXT,
  utm_source: MAYBE_TEXT,
  utm_medium: MAYBE_TEXT,
  utm_campaign: MAYBE_TEXT,
  utm_content: MAYBE_TEXT,
  utm_term: MAYBE_TEXT,
  $browser: MAYBE_TEXT,
  $os: MAYBE_TEXT,
  $device_type: MAYBE_TEXT,
  is_automated: { type: 'boolean' },
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
