/**
 * The tracking plan: every event that PostHog gets, and every property. Names are public: add, never rename. docs/tracking-plan.md says
 * what they mean.
 *
 * Browser code imports only types from here. The server keeps only the properties of this plan.
 */
import { CTAS, type CtaLabel } from './cta.ts';
import { REFERRING_CLASSES, SCREEN_CLASSES } from './visit.ts';

export interface PlannedProperty {
  type: 'text' | 'number' | 'boolean';
  /** The only possible values; absent: any value of the type. */
  values?: readonly (string | number | boolean)[];
  /** Whether the value may be unknown. The property is then null, and never absent. */
  nullable?: true;
}

const TEXT = { type: 'text' } as const;
const MAYBE_TEXT = { type: 'text', nullable: true } as const;
const NUMBER = { type: 'number' } as const;

/** Present on every event, so that each step of a funnel can be broken down by them. */
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

const LABELS: readonly CtaLabel[] = Object.values(CTAS).map(({ label }) => label);

/** Every event, with the properties that it has in addition to the visit's. */
export const EVENTS = {
  $pageview: {},
  section_viewed: { section: TEXT },
  cta_click: {
    category: { ...TEXT, values: ['CTA'] },
    label: { ...TEXT, values: LABELS },
    value: { ...NUMBER, values: [1] },
    event_id: TEXT,
  },
  video_played: {},
  registration_submitted: {},
  registration_succeeded: {},
  registration_failed: {},
  web_vital: {
    name: { ...TEXT, values: ['LCP', 'INP', 'CLS'] },
    value: NUMBER,
    rating: { ...TEXT, values: ['good', 'needs-improvement', 'poor'] },
  },
} as const satisfies Record<string, Record<string, PlannedProperty>>;

type Unknowable<P> = P extends { nullable: true } ? null : never;
type Primitive<P> = P extends { values: readonly (infer V)[] }
  ? V
  : P extends { type: 'number' }
    ? number
    : P extends { type: 'boolean' }
      ? boolean
      : string;
type ValuesOf<T> = { -readonly [name in keyof T]: Primitive<T[name]> | Unknowable<T[name]> };

/** The own properties of each event, without the visit's. */
export interface TrackingPlan extends Planned {}
type Planned = {
  [event in keyof typeof EVENTS]: ValuesOf<(typeof EVENTS)[event]>;
};
export type TrackingEvent = keyof TrackingPlan;

/** The properties that every event has. */
export type VisitProperties = ValuesOf<typeof VISIT_PROPERTIES>;

export const isTrackingEvent = (event: string): event is keyof typeof EVENTS =>
  Object.hasOwn(EVENTS, event);
