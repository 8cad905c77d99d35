/**
 * The tracking plan: every event that PostHog gets, and every property. Names are public: add, never rename.
 *
 * `docs/tracking-plan.md` is made from this file (`node build/write-tracking-plan.ts`). Browser code imports only types from here,
 * so that visitors load none of the descriptions. The server keeps only the properties of this plan.
 */
import { CTAS, type CtaLabel } from './cta.ts';
import { REFERRING_CLASSES, SCREEN_CLASSES } from './visit.ts';

/** The first place that knows the value: the page, or the server that receives the event. */
type Source = 'browser' | 'server';

export interface PlannedProperty {
  type: 'text' | 'number' | 'boolean';
  /** The only possible values; absent: any value of the type. */
  values?: readonly (string | number | boolean)[];
  /** Whether the value may be unknown. The property is then null, and never absent. */
  nullable?: true;
  meaning: string;
  example: string | number | boolean;
  source: Source;
  /** The column of the table `clicks` from which the server makes the value of a click; null: there is none. */
  column: string | null;
}

interface PlannedEvent {
  when: string;
  /** In addition to the visit's. */
  properties: Record<string, PlannedProperty>;
}

const campaignValue = (parameter: string, meaning: string, example: string) =>
  ({
    type: 'text',
    nullable: true,
    meaning,
    example,
    source: 'browser',
    column: parameter,
  }) as const satisfies PlannedProperty;

/** Present on every event, so that each step of a funnel can be broken down by them. */
export const VISIT_PROPERTIES = {
  referrer: {
    type: 'text',
    nullable: true,
    meaning: 'The landing URL’s `?ref=`, the source of the visit.',
    example: 'clinic-7',
    source: 'browser',
    column: 'referrer',
  },
  visit_id: {
    type: 'text',
    nullable: true,
    meaning: 'UUID v7 of the page load, dated by the browser. Also PostHog’s `distinct_id`.',
    example: '019e5b2c-8a4e-7c31-9d52-3f6a1b0c7e84',
    source: 'browser',
    column: 'visit_id',
  },
  $session_id: {
    type: 'text',
    nullable: true,
    meaning: 'Equal to `visit_id`: one visit is one session of PostHog.',
    example: '019e5b2c-8a4e-7c31-9d52-3f6a1b0c7e84',
    source: 'server',
    column: 'visit_id',
  },
  $referring_domain: {
    type: 'text',
    nullable: true,
    meaning:
      '`$direct`, if there was no site before this page. With `referrerDetail` = `domain` the site’s host, otherwise null. PostHog derives its channels from it.',
    example: '$direct',
    source: 'server',
    column: 'referring_domain',
  },
  referring_class: {
    type: 'text',
    values: REFERRING_CLASSES,
    nullable: true,
    meaning:
      'The kind of site before this page. With `referrerDetail` = `domain` only `direct`, with `none` always null.',
    example: 'search',
    source: 'server',
    column: 'referring_domain',
  },
  utm_source: campaignValue(
    'utm_source',
    'The campaign’s source, from the landing URL.',
    'cure-sma',
  ),
  utm_medium: campaignValue('utm_medium', 'The campaign’s medium.', 'email'),
  utm_campaign: campaignValue('utm_campaign', 'The campaign’s name.', 'spring-drive'),
  utm_content: campaignValue('utm_content', 'The variant of the link or picture.', 'button-top'),
  utm_term: campaignValue('utm_term', 'The keyword that was paid for.', 'sma-registry'),
  $browser: {
    type: 'text',
    nullable: true,
    meaning: 'Name of the browser, in PostHog’s spelling.',
    example: 'Mobile Safari',
    source: 'server',
    column: 'user_agent',
  },
  $os: {
    type: 'text',
    nullable: true,
    meaning: 'Name of the operating system, in PostHog’s spelling.',
    example: 'iOS',
    source: 'server',
    column: 'user_agent',
  },
  $device_type: {
    type: 'text',
    nullable: true,
    meaning: 'Kind of device, in PostHog’s spelling.',
    example: 'Mobile',
    source: 'server',
    column: 'user_agent',
  },
  screen_class: {
    type: 'text',
    values: SCREEN_CLASSES,
    nullable: true,
    meaning: 'Width of the screen in CSS pixels: small below 600, medium below 1024, else large.',
    example: 'small',
    source: 'browser',
    column: 'screen_class',
  },
  $host: {
    type: 'text',
    nullable: true,
    meaning: 'Host of the page.',
    example: 'www.site.example',
    source: 'server',
    column: 'page_url',
  },
  $pathname: {
    type: 'text',
    nullable: true,
    meaning: 'Path of the page.',
    example: '/',
    source: 'server',
    column: 'page_url',
  },
  $current_url: {
    type: 'text',
    nullable: true,
    meaning: 'The page’s address without its query and fragment.',
    example: 'https://www.site.example/',
    source: 'browser',
    column: 'page_url',
  },
  $raw_user_agent: {
    type: 'text',
    meaning: 'The browser’s User-Agent, at most 1,024 characters.',
    example: 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) …',
    source: 'server',
    column: 'user_agent',
  },
  $process_person_profile: {
    type: 'boolean',
    values: [false],
    meaning: 'PostHog keeps no profile of a person.',
    example: false,
    source: 'server',
    column: null,
  },
  $ip: {
    type: 'text',
    meaning: '192.0.2.0, an address that no visitor has.',
    example: '192.0.2.0',
    source: 'server',
    column: null,
  },
  $geoip_disable: {
    type: 'boolean',
    values: [true],
    meaning: 'PostHog derives no place from the address.',
    example: true,
    source: 'server',
    column: null,
  },
} as const satisfies Record<string, PlannedProperty>;

const LABELS: readonly CtaLabel[] = Object.values(CTAS).map(({ label }) => label);

/** Every event, with its own properties. */
export const EVENTS = {
  $pageview: {
    when: 'Once per page load, when the page is first visible. Not while the browser prerenders it, and not in a background tab.',
    properties: {},
  },
  section_viewed: {
    when: 'Half of a section was in view for one second, or it filled half of the view. Once per section and page load.',
    properties: {
      section: {
        type: 'text',
        meaning: 'The section’s anchor.',
        example: 'how-it-works',
        source: 'browser',
        column: null,
      },
    },
  },
  cta_click: {
    when: 'Each activation of a call to action, by mouse, key, touch or ping.',
    properties: {
      category: {
        type: 'text',
        values: ['CTA'],
        meaning: 'Always CTA.',
        example: 'CTA',
        source: 'browser',
        column: null,
      },
      label: {
        type: 'text',
        values: LABELS,
        meaning: 'The call to action.',
        example: 'hero_button',
        source: 'browser',
        column: 'event',
      },
      value: {
        type: 'number',
        values: [1],
        meaning: 'Always 1.',
        example: 1,
        source: 'browser',
        column: null,
      },
      event_id: {
        type: 'text',
        meaning: 'The id of the click’s row, equal to the event’s own uuid.',
        example: '019e5b2c-9b1f-7d42-8e63-4a7b2c1d8f95',
        source: 'browser',
        column: 'id',
      },
    },
  },
  video_played: {
    when: 'The visitor started the film. Once per page load.',
    properties: {},
  },
  registration_submitted: {
    when: 'The visitor sent the registration form and every field was valid. No form contents, ever.',
    properties: {},
  },
  registration_succeeded: {
    when: 'The server accepted the registration.',
    properties: {},
  },
  registration_failed: {
    when: 'The server refused the registration, or did not answer.',
    properties: {},
  },
  web_vital: {
    when: 'A web vital is final, which is usually when the page is hidden. Once per vital and page load.',
    properties: {
      name: {
        type: 'text',
        values: ['LCP', 'INP', 'CLS'],
        meaning: 'Largest paint, slowest reaction to an input, or shifted layout.',
        example: 'LCP',
        source: 'browser',
        column: null,
      },
      value: {
        type: 'number',
        meaning: 'Milliseconds for LCP and INP, a score for CLS.',
        example: 812.4,
        source: 'browser',
        column: null,
      },
      rating: {
        type: 'text',
        values: ['good', 'needs-improvement', 'poor'],
        meaning: 'The rating by the web-vitals library.',
        example: 'good',
        source: 'browser',
        column: null,
      },
    },
  },
} as const satisfies Record<string, PlannedEvent>;

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
  [event in keyof typeof EVENTS]: ValuesOf<(typeof EVENTS)[event]['properties']>;
};
export type TrackingEvent = keyof TrackingPlan;

/** The properties that every event has. */
export type VisitProperties = ValuesOf<typeof VISIT_PROPERTIES>;

export const isTrackingEvent = (event: string): event is keyof typeof EVENTS =>
  Object.hasOwn(EVENTS, event);
