/**
 * Lists of all that leaves the visitor's browser, stays in it, and is part of clicks and events, without words. /help/privacy/
 * describes each entry, and tests compare the lists with a real browser, the lines' schema and the tracking plan.
 */
import type { clickLineSchema } from './click-line.schema.ts';
import type { VISIT_PROPERTIES } from './events.ts';
import { LOG_CTA_PATH, POSTHOG_PROXY_PATH } from './limits.ts';

/** The settings that decide which entries apply. */
export interface RecordingFacts {
  ipLookupUrl: string | null;
  posthogKey: string | null;
  registerForm: boolean;
}

interface SentRequest {
  method: 'GET' | 'POST';
  /** Path on this site, or another site's host. Null: not sent with these settings. */
  to: (facts: RecordingFacts) => string | null;
}

/** Requests other than those for the site's own files. The visitor's clicks on links are not listed. */
export const REQUESTS = {
  click: { method: 'POST', to: () => LOG_CTA_PATH },
  stats: { method: 'GET', to: () => '/api/stats' },
  events: { method: 'POST', to: () => `${POSTHOG_PROXY_PATH}/e/` },
  registration: { method: 'POST', to: (f) => (f.registerForm ? '/api/register' : null) },
  ipLookup: { method: 'GET', to: (f) => f.ipLookupUrl && new URL(f.ipLookupUrl).host },
} satisfies Record<string, SentRequest>;
export type RequestName = keyof typeof REQUESTS;

/** Keys in the browser's storage. A key that ends with a colon is followed by an id. There are no cookies. */
export const STORED = {
  counting: () => true,
  'click:': () => true,
  'clicks-dropped': () => true,
  'register-draft': (f) => f.registerForm,
  /** By posthog-js, which removes it at once. */
  __mplssupport__: (f) => f.posthogKey !== null,
} satisfies Record<string, (facts: RecordingFacts) => boolean>;
export type StoredKey = keyof typeof STORED;

/** The fields of a click's line, in the groups in which the page describes them. */
export const CLICK_FIELDS = {
  time: ['timestamp', 'sent_at', 'received_at', 'time', 'skew_ms'],
  button: ['event', 'page_url'],
  origin: ['referrer', 'campaign', 'referring_domain'],
  device: ['user_agent', 'is_mobile', 'screen_class'],
  address: ['ip', 'remote_ip'],
  numbers: ['id', 'visit_id', 'seq', 'req_id'],
  delivery: ['via', 'dropped', 'level', 'pid', 'hostname'],
  marks: ['is_bot', 'private', 'duplicate'],
} satisfies Record<string, (keyof (typeof clickLineSchema)['shape'])[]>;
export type FieldGroup = keyof typeof CLICK_FIELDS;

/** The columns of a visit, in groups. */
export const VISIT_FIELDS = {
  time: ['viewed_at'],
  page: ['page'],
  origin: [
    ...['referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
    'referring_class',
  ],
  screen: ['screen_class'],
  marks: ['id', 'is_bot'],
};
export type VisitGroup = keyof typeof VISIT_FIELDS;

/** The properties of every event at PostHog, in groups. */
export const PROPERTIES = {
  origin: [
    ...([
      'referrer',
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'utm_content',
      'utm_term',
    ] as const),
    '$referring_domain',
    'referring_class',
  ],
  visit: ['visit_id', '$session_id'],
  page: ['$current_url', '$host', '$pathname'],
  device: ['$raw_user_agent', '$browser', '$os', '$device_type', 'screen_class'],
  address: ['$ip', '$geoip_disable'],
  profile: ['$process_person_profile'],
} satisfies Record<string, (keyof typeof VISIT_PROPERTIES)[]>;
export type PropertyGroup = keyof typeof PROPERTIES;
