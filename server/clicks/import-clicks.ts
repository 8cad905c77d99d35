/**
 * Reads lines of the click log, and stores them in the table again: the inverse of click-log.ts.
 */
import { z } from 'zod';
import type { LogIp } from '#contract/built-site.schema.ts';
import {
  CONVERTED_FIELDS,
  COPIED_FIELDS,
  COPIED_NAMES,
  SPECIFIED_FIELDS,
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
import type { StoreResult } from './store-clicks.ts';
import { storeImportedClicks } from './store-imported-clicks.ts';

/**
 * The optional fields of a request that a line has too. A line has `referring_class` and
 * `referring_site` instead of `referring_domain`.
 */
const { referring_domain: _, ...CONVERTED_LINE_FIELDS } = CONVERTED_FIELDS;

/**
 * The fields of a click's line in DATA_DIR/clicks-DATE.jsonl. A field without a value is null, or
 * absent if it is optional.
 */
export const CLICK_LINE_FIELDS = {
  // pino adds these fields to each line.
  level: z.int(),
  time: z.int().positive(),
  pid: z.int().positive(),
  hostname: z.string(),
  ...CONVERTED_LINE_FIELDS,
  ...SPECIFIED_FIELDS,
  ...COPIED_FIELDS,
  id: z.uuid(),
  visit_id: z.uuid().nullable(),
  /** An import ignores this field, and makes the key from `referrer` again. */
  ref_key: z.string().optional(),
  sent_at: utcTimestamp.nullable(),
  /** The address from which the request came. Like `ip`, it has only as much as `logIp` allows. */
  remote_ip: SPECIFIED_FIELDS.ip,
  /** Any text, because a newer server may have more classes. */
  referring_class: z.string().max(20).optional(),
  referring_site: z.string().max(253).optional(),
  received_at: utcTimestamp,
  via: z.enum(['fetch', 'beacon', 'ping']),
  is_bot: z.boolean(),
  /** The server's clock minus the browser's clock, when the browser sent the click. */
  skew_ms: z.int().nullable(),
  req_id: z.string().min(1).max(36),
  /** Global Privacy Control or Do Not Track: no address, and never sent to PostHog. */
  private: z.literal(true).optional(),
  /** The table had the click before. */
  duplicate: z.literal(true).optional(),
  /** When an operator erased the click. Only lines that `site forget` writes have it. */
  forgotten_at: utcTimestamp.optional(),
};

/** The line of a click. A line from standard output lacks the addresses. */
const lineSchema = z.object(CLICK_LINE_FIELDS).partial({ ip: true, remote_ip: true });

/**
 * The line of a forgotten click: of its repetition, or one that `site forget` has written or
 * erased.
 */
const forgottenSchema = z.object(CLICK_LINE_FIELDS).pick({
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
/** A line of either kind. Lines of forgotten clicks lack the other fields. */
type Line = ForgottenLine & Partial<Omit<z.output<typeof lineSchema>, keyof ForgottenLine>>;

/**
 * Reads one line of the click log.
 *
 * @param logIp the present setting: the row gets no more of an address than it allows
 * @param identifiedSince clicks received before this time lose their identifying columns, in
 * milliseconds since 1970
 * @returns the row; or `fault`, why the line cannot be read, without its content
 */
export function readClickLine(
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
  const click = makeRowOfLine(data, logIp, isForgotten);
  if (click.received_at >= identifiedSince) return { click };
  return { click: { ...click, ...EMPTY_IDENTITY } };
}

/** Null for each identifying column, for clicks older than `personalDataDays`. */
const EMPTY_IDENTITY = Object.fromEntries(
  IDENTIFYING_COLUMNS.map((name) => [name, null]),
) as Record<(typeof IDENTIFYING_COLUMNS)[number], null>;

/** The fields of a line that the table has as columns of the same name and value. */
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
 * Makes the row of a line. `forgotten_at` is required for a forgotten click. If its line has none,
 * the time at which the server received the click is used.
 */
function makeRowOfLine(line: Line, logIp: LogIp, isForgotten: boolean): ClickRow {
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

/** Stores imported clicks in one transaction. @returns for each click what happened to it */
export const importClicks = (
  db: Database,
  clicks: ClickRow[],
  now: number,
): Promise<StoreResult[]> => db.transaction(storeImportedClicks, clicks, PERSONAL_COLUMNS, now);
