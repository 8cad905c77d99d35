/** Reads lines of the log back into the table: the inverse of click-log.ts. */
import { z } from 'zod';
import type { LogIp } from '#contract/built-site.schema.ts';
import {
  CONVERTED,
  COPIED,
  COPIED_NAMES,
  SPECIFIED,
  toPlainText,
  utcTimestamp,
} from '#contract/click-fields.schema.ts';
import { isCtaEvent } from '#contract/cta.ts';
import { refKey } from '#contract/ref.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import type { Database } from '../database/database.ts';
import { loggedAddress } from '../http/address.ts';
import { pick } from '../pick.ts';
import type { ClickRow } from './click.ts';
import { IDENTIFYING_COLUMNS } from './identifying-columns.ts';
import { PERSONAL_COLUMNS } from './personal-columns.ts';
import type { Stored } from './store-clicks.ts';
import { storeImportedClicks } from './store-imported-clicks.ts';

/** The line has the kind and the name of the site before the page in place of its host. */
const { referring_domain: _, ...SAME_AS_SENT } = CONVERTED;

/**
 * The click's line in DATA_DIR/clicks-DATE.jsonl. A field that a click does not have is null, or
 * missing if it is optional.
 */
export const CLICK_LINE = {
  // The fields that pino adds to each line.
  level: z.int(),
  time: z.int().positive(),
  pid: z.int().positive(),
  hostname: z.string(),
  ...SAME_AS_SENT,
  ...SPECIFIED,
  ...COPIED,
  id: z.uuid(),
  visit_id: z.uuid().nullable(),
  /** Not read: an import makes the key again from `referrer`. */
  ref_key: z.string().optional(),
  sent_at: utcTimestamp.nullable(),
  /** The address that the server saw. Both are as `logIp` allows them. */
  remote_ip: SPECIFIED.ip,
  /** The class may be one that only a newer server knows. */
  referring_class: z.string().max(20).optional(),
  referring_site: z.string().max(253).optional(),
  received_at: utcTimestamp,
  via: z.enum(['fetch', 'beacon', 'ping']),
  is_bot: z.boolean(),
  /** The server's clock minus the browser's at the sending. */
  skew_ms: z.int().nullable(),
  req_id: z.string().min(1).max(36),
  /** Global Privacy Control or Do Not Track: no address, and never sent to PostHog. */
  private: z.literal(true).optional(),
  /** The table had the click before. */
  duplicate: z.literal(true).optional(),
  /** When an operator has emptied the row, in the line that `site forget` writes. */
  forgotten_at: utcTimestamp.optional(),
};

/** The line of a click. One from standard output lacks the addresses. */
const lineSchema = z.object(CLICK_LINE).partial({ ip: true, remote_ip: true });

/**
 * A line of a forgotten click: of its repetition, or one that `site forget` has written or blanked.
 */
const forgottenSchema = z.object(CLICK_LINE).pick({
  id: true,
  event: true,
  received_at: true,
  via: true,
  is_bot: true,
  is_internal: true,
  is_automated: true,
  private: true,
  forgotten_at: true,
});

type ForgottenLine = z.output<typeof forgottenSchema>;
/** Lines of forgotten clicks have none of the other fields. */
type Line = ForgottenLine & Partial<Omit<z.output<typeof lineSchema>, keyof ForgottenLine>>;

/**
 * Reads a line.
 *
 * @param logIp as it is now: a row never has more
 * @param identifiedSince clicks that the server received before lack what identifies a visitor
 * @returns the click, or why the line is none, without its content
 */
export function readLine(
  text: string,
  logIp: LogIp,
  identifiedSince = 0,
): { click: ClickRow } | { fault: string } {
  let json: unknown;
  try {
    json = JSON.parse(text, (_, value) => (typeof value === 'string' ? toPlainText(value) : value));
  } catch {
    return { fault: 'not JSON, perhaps cut' };
  }
  const isForgotten = !Object.hasOwn(Object(json), 'user_agent');
  const { data, error } = (isForgotten ? forgottenSchema : lineSchema).safeParse(json);
  if (error)
    return {
      fault: `not a click: ${error.issues[0]?.path.join('.') || 'the line'} is not valid`,
    };
  const click = toRow(data, logIp, isForgotten);
  if (click.received_at >= identifiedSince) return { click };
  return { click: { ...click, ...NO_IDENTITY } };
}

/** Null in each identifying column, for a click that is older than `personalDataDays`. */
const NO_IDENTITY = Object.fromEntries(IDENTIFYING_COLUMNS.map((name) => [name, null])) as Record<
  (typeof IDENTIFYING_COLUMNS)[number],
  null
>;

/** The fields of a line that are columns of the same name and value. */
const COLUMNS_OF_LINE = [
  ...COPIED_NAMES,
  'referrer',
  'referring_class',
  'referring_site',
  'page_url',
  'user_agent',
  'is_mobile',
  'req_id',
] as const;

/**
 * Makes the row of a line. If the line of a forgotten click does not say when an operator emptied
 * the row, the time at which the server received the click stands for it.
 */
function toRow(line: Line, logIp: LogIp, isForgotten: boolean): ClickRow {
  const received_at = Date.parse(line.received_at);
  const policy = line.private ? 'none' : logIp;
  return {
    id: line.id.toLowerCase(),
    event: line.event,
    received_at,
    clicked_at: timeOf(line.timestamp),
    sent_at: timeOf(line.sent_at),
    visit_id: line.visit_id?.toLowerCase() ?? null,
    ...pick(line, COLUMNS_OF_LINE, null),
    ref_key: refKey(line.referrer),
    ...pick(line.campaign ?? {}, CAMPAIGN_PARAMETERS, null),
    ip: loggedAddress(line.ip ?? null, policy),
    remote_ip: loggedAddress(line.remote_ip ?? null, policy),
    via: line.via,
    is_bot: line.is_bot,
    is_internal: line.is_internal ?? false,
    is_automated: line.is_automated ?? false,
    is_private: line.private ?? false,
    is_known: isCtaEvent(line.event),
    forgotten_at: isForgotten ? (timeOf(line.forgotten_at) ?? received_at) : null,
  };
}

const timeOf = (iso: string | null | undefined) => (iso ? Date.parse(iso) : null);

/** Stores clicks of the log. @returns what became of each */
export const importClicks = (db: Database, clicks: ClickRow[], now: number): Promise<Stored[]> =>
  db.transaction(storeImportedClicks, clicks, PERSONAL_COLUMNS, now);
