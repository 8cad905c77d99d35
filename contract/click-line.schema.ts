/**
 * A line of the ledger, as this version writes it: `docs/click-line.schema.json` and `docs/log-lines.md` are made from it. Readers of
 * ledgers, which also have older lines, use server/clicks/ledger/parse-line.ts.
 *
 * Each field names its field in the Elastic Common Schema (`ecs`) and its attribute in OpenTelemetry (`otel`). Names that begin
 * with `site.` are our own, because the standard has none.
 */
import { z } from 'zod';
import { CTA_EVENT_FORM } from './cta.ts';
import { MAX_DROPPED, MAX_PAGE_URL, MAX_REFERRER, MAX_SEQ, MAX_USER_AGENT } from './limits.ts';
import { CAMPAIGN_VALUE, SCREEN_CLASSES } from './visit.ts';

/** Names a field of a line. */
export const field = <T extends z.ZodType>(
  schema: T,
  description: string,
  ecs: string,
  otel: string,
) => schema.meta({ description, ecs, otel });

const isoTime = z.iso.datetime({ precision: 3 });
const address = z.union([z.ipv4(), z.ipv6()]);
const utm = z.string().regex(CAMPAIGN_VALUE).optional();
const own = (name: string) => [`site.${name}`, `site.${name}`] as const;

/** The fields that pino writes at the beginning of each line, also of the server's own log. */
export const pinoFields = {
  level: field(
    z.int(),
    'How severe: 20 debug, 30 info, 40 warning, 50 error, 60 fatal',
    'log.level',
    'SeverityNumber',
  ),
  time: field(
    z.int().positive(),
    'When the line was made: milliseconds since 1970',
    '@timestamp',
    'Timestamp',
  ),
  pid: field(z.int().positive(), 'Process of the server', 'process.pid', 'process.pid'),
  hostname: field(z.string(), 'Machine of the server', 'host.hostname', 'host.name'),
};

export const clickLineSchema = z.strictObject({
  ...pinoFields,
  id: field(z.uuid(), 'The click. PostHog’s event has the same uuid', 'event.id', 'site.click.id'),
  visit_id: field(
    z.uuid().nullable(),
    'One load of the page; null without script',
    'session.id',
    'session.id',
  ),
  event: field(
    z.string().regex(CTA_EVENT_FORM),
    'The call to action',
    'event.action',
    'event.name',
  ),
  referrer: field(
    z.string().max(MAX_REFERRER).nullable(),
    'The landing URL’s `ref`',
    ...own('ref'),
  ),
  ip: field(
    address.nullable(),
    'The browser’s address as the public-IP service saw it, by LOG_IP',
    ...own('client.looked_up_ip'),
  ),
  timestamp: field(
    isoTime,
    'When the visitor clicked, by the browser’s clock',
    'event.start',
    'site.click.time',
  ),
  page_url: field(
    z.string().max(MAX_PAGE_URL),
    'The page, with no parameter but `ref`',
    'url.full',
    'url.full',
  ),
  user_agent: field(
    z.string().max(MAX_USER_AGENT),
    'The browser’s own name',
    'user_agent.original',
    'user_agent.original',
  ),
  is_mobile: field(z.boolean(), 'iPhone, iPad, iPod or Android', ...own('is_mobile')),
  sent_at: field(
    isoTime.nullable(),
    'When the browser sent it, by its clock; null if it does not say',
    ...own('sent_at'),
  ),
  dropped: field(
    z.int().min(1).max(MAX_DROPPED).optional(),
    'Clicks that this browser lost before, from a full outbox',
    ...own('dropped'),
  ),
  campaign: field(
    z
      .strictObject({
        utm_source: utm,
        utm_medium: utm,
        utm_campaign: utm,
        utm_content: utm,
        utm_term: utm,
      })
      .optional(),
    'The landing URL’s utm values',
    ...own('campaign'),
  ),
  referring_domain: field(
    z.string().optional(),
    'The kind of site before the page, or its host, by REFERRING_DOMAIN',
    ...own('referring_domain'),
  ),
  screen_class: field(
    z.enum(SCREEN_CLASSES).optional(),
    'Width of the screen',
    ...own('screen_class'),
  ),
  seq: field(
    z.int().min(1).max(MAX_SEQ).optional(),
    'Number of the click in its visit',
    'event.sequence',
    'site.seq',
  ),
  remote_ip: field(
    address.nullable(),
    'The address that the server saw, by LOG_IP',
    'client.ip',
    'client.address',
  ),
  received_at: field(isoTime, 'When the server received it', 'event.ingested', 'ObservedTimestamp'),
  via: field(z.enum(['fetch', 'beacon', 'ping']), 'How the browser sent it', ...own('via')),
  is_bot: field(z.boolean(), 'A robot’s user agent. No count includes it', ...own('is_bot')),
  skew_ms: field(
    z.int().nullable(),
    'The server’s clock minus the browser’s at the sending',
    ...own('skew_ms'),
  ),
  req_id: field(
    z.string().min(1).max(36),
    'The request; nginx has the same id',
    'http.request.id',
    'site.request.id',
  ),
  private: field(
    z.literal(true).optional(),
    'Global Privacy Control or Do Not Track: no address, and never sent to PostHog',
    ...own('private'),
  ),
});

/** The line of a click that `clicks forget` removed. */
export const tombstoneSchema = z.strictObject({
  id: field(z.uuid(), 'The click, so that a repetition is recognised', 'event.id', 'site.click.id'),
  event: field(z.string(), 'The call to action, for the statistics', 'event.action', 'event.name'),
  received_at: field(
    isoTime,
    'When the server received it, for the statistics',
    'event.ingested',
    'ObservedTimestamp',
  ),
  is_bot: field(z.boolean(), 'A robot’s user agent', ...own('is_bot')),
  forgotten_at: field(isoTime, 'When the operator ran `clicks forget`', ...own('forgotten_at')),
});

/** Every line that this version writes into a ledger. */
export const ledgerLineSchema = z.union([clickLineSchema, tombstoneSchema]);
