/**
 * The tracking plan: all events that PostHog gets, with their own properties. Names are public:
 * add, never rename. Browser code may import only types from this file.
 */
import { CTAS, type CtaLabel } from './cta.ts';

/** The type of an event's property. */
export interface PlannedProperty {
  type: 'text' | 'number' | 'boolean';
  /** The allowed values; absent: every value of the type. */
  values?: readonly (string | number | boolean)[];
  /** Whether the value may be unknown. Then the property is null. It is never absent. */
  nullable?: true;
}

const TEXT = { type: 'text' } as const;
const NUMBER = { type: 'number' } as const;
const MAYBE_NUMBER = { ...NUMBER, nullable: true } as const;

const LABELS: readonly CtaLabel[] = Object.values(CTAS).map(({ label }) => label);

/** All events. Their properties come in addition to the visit properties. */
export const EVENTS = {
  /**
   * A page view: when the page is first visible, and when it returns from the back-forward cache.
   */
  $pageview: {},
  /**
   * The visitor saw a section: half of it was visible for one second, or it filled half of the
   * window. Once per section and page load.
   */
  section_viewed: {
    /** The section's anchor, such as `how-it-works`. */
    section: TEXT,
  },
  /** Each activation of a call to action, by mouse, key, touch or ping. */
  cta_click: {
    category: { ...TEXT, values: ['CTA'] },
    /** PostHog's label of the button (cta.ts). */
    label: { ...TEXT, values: LABELS },
    value: { ...NUMBER, values: [1] },
    /** The id of the click's row, equal to the event's own uuid. */
    event_id: TEXT,
  },
  /** The visitor started the film; once per page load. */
  video_played: {},
  /** The visitor sent the form, and every field was valid. The event has no form contents. */
  registration_submitted: {},
  /** The server accepted the registration. */
  registration_succeeded: {},
  /** The server refused the registration, or did not answer. */
  registration_failed: {},
  /**
   * The visitor hid or left the landing page for the first time in this page load. The names are
   * PostHog's own.
   */
  $pageleave: {
    /** Seconds since the page was shown. */
    $prev_pageview_duration: NUMBER,
    /** The path of the page. */
    $prev_pageview_pathname: TEXT,
  },
  /**
   * The web vitals up to the moment when the visitor first hid or left the landing page. Once per
   * page load, and only after an input. The names are PostHog's own. A vital is null if the browser
   * does not measure it, or there was nothing to measure.
   */
  $web_vitals: {
    /** Largest Contentful Paint, in milliseconds. */
    $web_vitals_LCP_value: MAYBE_NUMBER,
    /** First Contentful Paint, in milliseconds. */
    $web_vitals_FCP_value: MAYBE_NUMBER,
    /** Interaction to Next Paint, in milliseconds; null if the visitor pressed nothing. */
    $web_vitals_INP_value: MAYBE_NUMBER,
    /** Cumulative Layout Shift, a score without a unit. */
    $web_vitals_CLS_value: MAYBE_NUMBER,
  },
} as const satisfies Record<string, Record<string, PlannedProperty>>;

/** Null, if the property may be unknown. */
type NullIfNullable<P> = P extends { nullable: true } ? null : never;
/** The TypeScript type of a property's values. */
type Primitive<P> = P extends { values: readonly (infer V)[] }
  ? V
  : P extends { type: 'number' }
    ? number
    : P extends { type: 'boolean' }
      ? boolean
      : string;
/** The TypeScript type of a list of properties. */
export type ValuesOf<T> = {
  -readonly [name in keyof T]: Primitive<T[name]> | NullIfNullable<T[name]>;
};

/** The own properties of each event, without the visit properties. */
export type TrackingPlan = {
  [event in keyof typeof EVENTS]: ValuesOf<(typeof EVENTS)[event]>;
};
export type TrackingEvent = keyof TrackingPlan;
