/**
 * The fields of a click, in one list: the body of POST /api/log-cta. From them the server makes the
 * click's row, its log line and PostHog's event. Names are public: add, never rename.
 */
import { z } from 'zod';
import { foldCampaign } from './campaign.ts';
import { CTA_EVENT_FORM, CTA_EVENTS } from './cta.ts';
import { MAX_DROPPED, MAX_PAGE_URL, MAX_REFERRER, MAX_SEQ, MAX_USER_AGENT } from './limits.ts';
import { REFERRER_HOST, SCREEN_CLASSES, type UtmValues } from './visit.ts';

/** Removes NUL and lone surrogates, because Postgres and some log readers reject them. */
export const toPlainText = (value: string): string => value.toWellFormed().replaceAll('\0', '');

// `overwrite` keeps a single string schema. `transform` would add a second schema, which zod would
// run for each click.
const textUpTo = (max: number) =>
  z.string().max(max, `must be at most ${max} characters`).overwrite(toPlainText);

/**
 * Whether a value is an absolute http or https URL. `URL.canParse` is cheaper than `URL.parse`,
 * because it makes no object.
 */
const isHttpUrl = (value: string): boolean => /^https?:/i.test(value) && URL.canParse(value);

export const utcTimestamp = z.iso.datetime({
  precision: 3,
  error: 'must be an ISO 8601 time in UTC with milliseconds, like 2026-01-31T09:30:00.000Z',
});

const uuidV7 = z.uuidv7({ error: 'must be a UUID of version 7' }).toLowerCase();

const EVENT_ERROR = `must be one of ${CTA_EVENTS.join(', ')}`;

/**
 * Makes a field optional, and leaves it out if its value is invalid. It is for fields that only
 * describe the visit: a click must count even if a newer page sends a value that this server does
 * not know, such as a new screen class.
 */
export const leftOutIfInvalid = <T extends z.ZodType>(schema: T) =>
  schema.optional().catch(undefined);

/**
 * A utm value, which the server folds whatever the client sends. An empty text: a value that is not
 * kept.
 */
const campaignValue = leftOutIfInvalid(z.string().overwrite(foldCampaign));

/** The specification's seven fields. The server refuses a click without one of them. */
export const SPECIFIED_FIELDS = {
  /**
   * The event of a call to action: of this version's list, or of a newer page's list
   * (docs/decisions.md#one-table).
   */
  event: z.string({ error: EVENT_ERROR }).regex(CTA_EVENT_FORM, { error: EVENT_ERROR }),
  /** The landing URL's `ref`, not the document's referrer. */
  referrer: textUpTo(MAX_REFERRER).nullable(),
  /**
   * The browser's public address, which the page gets from an external look-up service; null:
   * unknown.
   */
  ip: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IPv4 or IPv6 address, or null' })
    .nullable(),
  /** When the visitor clicked. Like `sent_at`, it is by the browser's clock. */
  timestamp: utcTimestamp,
  /** The page's address, with no query parameter except `ref`. */
  page_url: textUpTo(MAX_PAGE_URL).refine(isHttpUrl, { error: 'must be an absolute http(s) URL' }),
  user_agent: textUpTo(MAX_USER_AGENT),
  is_mobile: z.boolean({ error: 'must be true or false' }),
};

/** Optional fields that server/clicks/ converts before it stores them. */
export const CONVERTED_FIELDS = {
  /** The click's id, which is also the uuid of PostHog's event. */
  id: uuidV7.optional(),
  /** Id of the page load. */
  visit_id: uuidV7.optional(),
  sent_at: utcTimestamp.optional(),
  /** The utm values of the landing URL, unchanged. */
  campaign: leftOutIfInvalid(
    z.object({
      utm_source: campaignValue,
      utm_medium: campaignValue,
      utm_campaign: campaignValue,
      utm_content: campaignValue,
      utm_term: campaignValue,
    } satisfies Record<keyof UtmValues, unknown>),
  ),
  /** Host of the referring site, perhaps with a port; empty: there is none. */
  referring_domain: leftOutIfInvalid(z.string().regex(REFERRER_HOST)),
  /** Whether the team has marked this browser with the button of `/?internal=1`. */
  is_internal: leftOutIfInvalid(z.boolean()),
  /** Whether a program drives the browser (`navigator.webdriver`). */
  is_automated: leftOutIfInvalid(z.boolean()),
};

/**
 * Optional fields that the table and the log line store unchanged under the same name. `site
 * forget` empties their columns. PostHog gets those that server/posthog/visit-properties.ts names.
 * Tests send the examples.
 */
export const COPIED_FIELDS = {
  /** How many clicks this browser has dropped from its full outbox since its last report. */
  dropped: leftOutIfInvalid(z.int().min(1).max(MAX_DROPPED)).meta({ examples: [3] }),
  /** Whether a script pressed the button, as eye trackers and voice control may do. It counts. */
  is_scripted: leftOutIfInvalid(z.boolean()).meta({ examples: [true] }),
  screen_class: leftOutIfInvalid(z.enum(SCREEN_CLASSES)).meta({ examples: ['small'] }),
  /** Number of the click in its visit: 1, 2, 3 … */
  seq: leftOutIfInvalid(z.int().min(1).max(MAX_SEQ)).meta({ examples: [2] }),
};
export const COPIED_NAMES = Object.keys(COPIED_FIELDS) as (keyof typeof COPIED_FIELDS)[];

export const clickSchema = z.object({ ...SPECIFIED_FIELDS, ...CONVERTED_FIELDS, ...COPIED_FIELDS });

/** A click as a client sends it, after validation. */
export type ClickBody = z.output<typeof clickSchema>;

/**
 * Facts about the visit that the page collects. They are optional fields of a click, and properties
 * of each event that the page sends.
 */
export type VisitFacts = Pick<
  ClickBody,
  'campaign' | 'referring_domain' | 'is_automated' | 'screen_class'
>;
