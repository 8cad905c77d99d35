/**
 * The lines of clicks that the server writes: DATA_DIR/clicks-DATE.jsonl with all fields, standard output without `ip` and
 * `remote_ip`. Names are public: add, never rename.
 */
import { z } from 'zod';
import { CTA_EVENT_FORM } from './cta.ts';
import { MAX_DROPPED, MAX_PAGE_URL, MAX_REFERRER, MAX_SEQ, MAX_USER_AGENT } from './limits.ts';
import { CAMPAIGN_VALUE, SCREEN_CLASSES } from './visit.ts';

const isoTime = z.iso.datetime({ precision: 3 });
const address = z.union([z.ipv4(), z.ipv6()]);
const utm = z.string().regex(CAMPAIGN_VALUE).optional();
const event = z.string().regex(CTA_EVENT_FORM);

/** pino's own fields, also of the server's own log. */
export const pinoFields = {
  /** 20 debug, 30 info, 40 warning, 50 error, 60 fatal. */
  level: z.int(),
  /** Milliseconds since 1970. */
  time: z.int().positive(),
  pid: z.int().positive(),
  hostname: z.string(),
};

export const clickLineSchema = z.strictObject({
  ...pinoFields,
  /** PostHog's event has the same uuid. */
  id: z.uuid(),
  /** One load of the page; null without script. */
  visit_id: z.uuid().nullable(),
  event,
  /** The landing URL's `ref`. */
  referrer: z.string().max(MAX_REFERRER).nullable(),
  /** The browser's address as the look-up service saw it, as `logIp` allows it. */
  ip: address.nullable(),
  /** When the visitor clicked, by the browser's clock. */
  timestamp: isoTime,
  /** The page, with no parameter but `ref`. */
  page_url: z.string().max(MAX_PAGE_URL),
  user_agent: z.string().max(MAX_USER_AGENT),
  is_mobile: z.boolean(),
  /** When the browser sent it, by its clock; null if it does not say. */
  sent_at: isoTime.nullable(),
  /** Clicks that this browser lost before, from a full outbox. */
  dropped: z.int().min(1).max(MAX_DROPPED).optional(),
  campaign: z
    .strictObject({
      utm_source: utm,
      utm_medium: utm,
      utm_campaign: utm,
      utm_content: utm,
      utm_term: utm,
    })
    .optional(),
  /** The kind of site before the page, or its host. */
  referring_domain: z.string().optional(),
  screen_class: z.enum(SCREEN_CLASSES).optional(),
  /** Number of the click in its visit. */
  seq: z.int().min(1).max(MAX_SEQ).optional(),
  /** The address that the server saw, as `logIp` allows it. */
  remote_ip: address.nullable(),
  received_at: isoTime,
  via: z.enum(['fetch', 'beacon', 'ping']),
  is_bot: z.boolean(),
  /** By a browser that the team has marked. It counts nowhere. */
  is_internal: z.literal(true).optional(),
  /** The server's clock minus the browser's at the sending. */
  skew_ms: z.int().nullable(),
  req_id: z.string().min(1).max(36),
  /** Global Privacy Control or Do Not Track: no address, and never sent to PostHog. */
  private: z.literal(true).optional(),
  /** The table had the click before. */
  duplicate: z.literal(true).optional(),
});

/** A repetition of a click whose personal columns an operator has emptied. */
const forgottenLineSchema = z.strictObject({
  ...pinoFields,
  id: z.uuid(),
  event,
  received_at: isoTime,
  duplicate: z.literal(true),
});

/** A line on standard output. */
export const printedLineSchema = z.union([
  clickLineSchema.omit({ ip: true, remote_ip: true }),
  forgottenLineSchema,
]);
