/**
 * The fields of a click, in one list: the body of POST /api/log-cta. The server makes the row, the
 * log's line and PostHog's event of them. Names are public: add, never rename.
 */
import { z } from 'zod';
import { foldCampaign } from './campaign.ts';
import { CTA_EVENT_FORM, CTA_EVENTS } from './cta.ts';
import { MAX_DROPPED, MAX_PAGE_URL, MAX_REFERRER, MAX_SEQ, MAX_USER_AGENT } from './limits.ts';
import { REFERRER_HOST, SCREEN_CLASSES, type UtmValues } from './visit.ts';

/** Removes NUL and lone surrogates, because Postgres and some log readers reject them. */
export const toPlainText = (value: string): string => value.toWellFormed().replaceAll('\0', '');

// `overwrite` keeps the type of a string schema. `transform` would add a second schema, which zod
// runs for each click.
const textUpTo = (max: number) =>
  z.string().max(max, `must be at most ${max} characters`).overwrite(toPlainText);

/** Unlike `URL.parse`, `URL.canParse` makes no object. */
const isHttpUrl = (value: string): boolean => /^https?:/i.test(value) && URL.canParse(value);

export const utcTimestamp = z.iso.datetime({
  precision: 3,
  error: 'must be an ISO 8601 time in UTC with milliseconds, like 2026-01-31T09:30:00.000Z',
});

const uuidV7 = z.uuidv7({ error: 'must be a UUID of version 7' }).toLowerCase();

const EVENT_ERROR = `must be one of ${CTA_EVENTS.join(', ')}`;

/**
 * For fields that only describe the visit. An invalid one is left out, like an unknown key: a click
 * counts even if this server does not know a newer page's class of screen.
 */
export const leftOutIfInvalid = <T extends z.ZodType>(schema: T) =>
  schema.optional().catch(undefined);

/** Folded, whatever the client sends. Empty: a value that is not kept. */
const campaignValue = leftOutIfInvalid(z.string().overwrite(foldCampaign));

/** The specification's seven fields. The server refuses a click without one of them. */
export const SPECIFIED_FIELDS = {
  /** One of the list, or of a newer page's list: docs/decisions.md#one-table. */
  event: z.string({ error: EVENT_ERROR }).regex(CTA_EVENT_FORM, { error: EVENT_ERROR }),
  /** The landing URL's `ref`, not the document's referrer. */
  referrer: textUpTo(MAX_REFERRER).nullable(),
  /** The browser's address as the look-up service saw it. */
  ip: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IPv4 or IPv6 address, or null' })
    .nullable(),
  /** When the visitor clicked, by the browser's clock, as `sent_at`. */
  timestamp: utcTimestamp,
  /** The page, with no parameter but `ref`. */
  page_url: textUpTo(MAX_PAGE_URL).refine(isHttpUrl, { error: 'must be an absolute http(s) URL' }),
  user_agent: textUpTo(MAX_USER_AGENT),
  is_mobile: z.boolean({ error: 'must be true or false' }),
};

/** Optional fields that server/clicks/ converts to columns of another form. */
export const CONVERTED_FIELDS = {
  /** PostHog's event has the same uuid. */
  id: uuidV7.optional(),
  /** One load of the page. */
  visit_id: uuidV7.optional(),
  sent_at: utcTimestamp.optional(),
  /** The utm values of the landing URL, as they are. */
  campaign: leftOutIfInvalid(
    z.object({
      utm_source: campaignValue,
      utm_medium: campaignValue,
      utm_campaign: campaignValue,
      utm_content: campaignValue,
      utm_term: campaignValue,
    } satisfies Record<keyof UtmValues, unknown>),
  ),
  /** Host of the site before this page, perhaps with a port; empty: none. */
  referring_domain: leftOutIfInvalid(z.string().regex(REFERRER_HOST)),
  /** Whether the team has marked this browser with the button of `/?internal=1`. */
  is_internal: leftOutIfInvalid(z.boolean()),
  /** Whether a program drives the browser (`navigator.webdriver`). */
  is_automated: leftOutIfInvalid(z.boolean()),
};

/**
 * Optional fields that are also the column and the line's field of that name. `site forget` empties
 * the column. PostHog gets those of server/posthog/visit-properties.ts. The tests send the
 * examples.
 */
export const COPIED_FIELDS = {
  /** Clicks that this browser had to drop from its full outbox since it last reported. */
  dropped: leftOutIfInvalid(z.int().min(1).max(MAX_DROPPED)).meta({ examples: [3] }),
  /** Whether a script pressed, as aids such as a switch, an eye tracker or voice may. It counts. */
  is_scripted: leftOutIfInvalid(z.boolean()).meta({ examples: [true] }),
  screen_class: leftOutIfInvalid(z.enum(SCREEN_CLASSES)).meta({ examples: ['small'] }),
  /** Number of the click in its visit: 1, 2, 3 … */
  seq: leftOutIfInvalid(z.int().min(1).max(MAX_SEQ)).meta({ examples: [2] }),
};
export const COPIED_NAMES = Object.keys(COPIED_FIELDS) as (keyof typeof COPIED_FIELDS)[];

export const clickSchema = z.object({ ...SPECIFIED_FIELDS, ...CONVERTED_FIELDS, ...COPIED_FIELDS });

/** One click, as a client sends it and the server reads it. */
export type ClickBody = z.output<typeof clickSchema>;

/**
 * The page's facts about its visit: optional fields of a click, and properties of each event that
 * the page sends.
 */
export type VisitFacts = Pick<
  ClickBody,
  'campaign' | 'referring_domain' | 'is_automated' | 'screen_class'
>;
