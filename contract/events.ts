/**
 * The tracking plan: every event that PostHog gets, with its own properties. Names are public: add,
 * never rename. Browser code imports only types from here.
 */
import { CTAS, type CtaLabel } from './cta.ts';

export interface PlannedProperty {
  type: 'text' | 'number' | 'boolean';
  /** The only possible values; absent: any value of the type. */
  values?: readonly (string | number | boolean)[];
  /** Whether the value may be unknown. The property is then null, and never absent. */
  nullable?: true;
}

const TEXT = { type: 'text' } as const;
const NUMBER = { type: 'number' } as const;
const MAYBE_NUMBER = { ...NUMBER, nullable: true } as const;

const LABELS: readonly CtaLabel[] = Object.values(CTAS).map(({ label }) => label);

/** Every event, with the properties that it has in addition to the visit's. */
export const EVENTS = {
  /**
   * Once per view: when the page is first visible, and when it returns from the back-forward cache.
   */
  $pageview: {},
  /**
   * Half of a section was in view for one second, or it filled half of the view; once per section
   * and page load.
   */
  section_viewed: {
    /** The section's anchor, such as `how-it-works`. */
    section: TEXT,
  },
  /** Each activation of a call to action, by mouse, key, touch or ping. */
  cta_click: {
    category: { ...TEXT, values: ['CTA'] },
    /** The button (cta.ts). */
    label: { ...TEXT, values: LABELS },
    value: { ...NUMBER, values: [1] },
    /** The id of the click's row, equal to the event's own uuid. */
    event_id: TEXT,
  },
  /** The visitor started the film; once per page load. */
  video_played: {},
  /** The visitor sent the form, and every field was valid. Never form contents. */
  registration_submitted: {},
  /** The server accepted the registration. */
  registration_succeeded: {},
  /** The server refused the registration, or did not answer. */
  registration_failed: {},
  /**
   * The visitor first hid or left the landing page; once per page load. PostHog's name, as those of
   * its properties.
   */
  $pageleave: {
    /** Seconds since the page was shown. */
    $prev_pageview_duration: NUMBER,
    /** The path of the page. */
    $prev_pageview_pathname: TEXT,
  },
  /**
   * The web vitals until the visitor first hid or left the landing page, once per page load, after
   * an input. PostHog's names. A vital that the browser does not measure, or that had nothing to
   * measure, is null.
   */
  $web_vitals: {
    /** Milliseconds. */
    $web_vitals_LCP_value: MAYBE_NUMBER,
    /** Milliseconds. */
    $web_vitals_FCP_value: MAYBE_NUMBER,
    /** Milliseconds; null without a press. */
    $web_vitals_INP_value: MAYBE_NUMBER,
    /** A score. */
    $web_vitals_CLS_value: MAYBE_NUMBER,
  },
} as const satisfies Record<string, Record<string, PlannedProperty>>;

type NullIfNullable<P> = P extends { nullable: true } ? null : never;
type Primitive<P> = P extends { values: readonly (infer V)[] }
  ? V
  : P extends { type: 'number' }
    ? number
    : P extends { type: 'boolean' }
      ? boolean
      : string;
export type ValuesOf<T> = {
  -readonly [name in keyof T]: Primitive<T[name]> | NullIfNullable<T[name]>;
};

/** The own properties of each event, without the visit's. */
export type TrackingPlan = {
  [event in keyof typeof EVENTS]: ValuesOf<(typeof EVENTS)[event]>;
};
export type TrackingEvent = keyof TrackingPlan;
