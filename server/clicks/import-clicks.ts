/** Reads lines of the log back into the table: the inverse of click-log.ts. Takes the lines of the version before, too. */
import { z } from 'zod';
import { clickLineSchema } from '#contract/click-line.schema.ts';
import { isCtaEvent } from '#contract/cta.ts';
import { toPlainText } from '#contract/log-cta.schema.ts';
import type { LogIp } from '#contract/privacy.schema.ts';
import { defineWork, type Value } from '../database/database.ts';
import { loggedAddress } from '../http/address.ts';
import type { Click } from './click.ts';
import { FORGET } from './forget-clicks.ts';
import { storeClicks } from './store-clicks.ts';

/** Older lines lack some fields. That of a forgotten click has only these. */
const lineSchema = z
  .object({ ...clickLineSchema.shape, forgotten_at: clickLineSchema.shape.received_at })
  .partial()
  .required({ id: true, event: true, received_at: true });
type Line = z.output<typeof lineSchema>;

/** All columns of `clicks`. */
export type LoggedClick = ReturnType<typeof toClick>;

/**
 * Pure.
 *
 * @param logIp as it is now, because a row never has more of an address
 * @returns the click, or why the line is none, without its content
 */
export function readLine(text: string, logIp: LogIp): { click: LoggedClick } | { fault: string } {
  let json: unknown;
  try {
    json = JSON.parse(text, (_, value) => (typeof value === 'string' ? toPlainText(value) : value));
  } catch {
    return { fault: 'not JSON, perhaps cut' };
  }
  const { data, error } = lineSchema.safeParse(json);
  if (error)
    return {
      fault: `not a click: ${error.issues[0]?.path.join('.') || 'the line'} is not valid`,
    };
  const { id, event, received_at, is_bot, forgotten_at, user_agent } = data;
  if (!forgotten_at && user_agent !== undefined) return { click: toClick(data, logIp) };
  // The line of a repetition does not say when an operator emptied the row.
  const forgotten = { id, event, received_at, is_bot, forgotten_at: forgotten_at ?? received_at };
  return { click: toClick(forgotten, logIp) };
}

function toClick(line: Line, logIp: LogIp) {
  const { utm_source, utm_medium, utm_campaign, utm_content, utm_term } = line.campaign ?? {};
  const policy = line.private ? 'none' : logIp;
  return {
    id: line.id.toLowerCase(),
    event: line.event,
    received_at: Date.parse(line.received_at),
    clicked_at: timeOf(line.timestamp),
    sent_at: timeOf(line.sent_at),
    visit_id: line.visit_id?.toLowerCase() ?? null,
    seq: line.seq ?? null,
    dropped: line.dropped ?? null,
    referrer: line.referrer ?? null,
    utm_source: utm_source ?? null,
    utm_medium: utm_medium ?? null,
    utm_campaign: utm_campaign ?? null,
    utm_content: utm_content ?? null,
    utm_term: utm_term ?? null,
    referring_domain: line.referring_domain ?? null,
    page_url: line.page_url ?? null,
    user_agent: line.user_agent ?? null,
    is_mobile: line.is_mobile ?? null,
    screen_class: line.screen_class ?? null,
    ip: loggedAddress(line.ip ?? null, policy),
    remote_ip: loggedAddress(line.remote_ip ?? null, policy),
    via: line.via ?? 'fetch',
    is_bot: line.is_bot ?? false,
    is_private: line.private ?? false,
    is_known: isCtaEvent(line.event),
    req_id: line.req_id ?? null,
    forgotten_at: timeOf(line.forgotten_at),
  } satisfies Record<keyof Click | 'forgotten_at', Value>;
}

const timeOf = (iso: string | null | undefined) => (iso ? Date.parse(iso) : null);

/** The server of imported clicks in `click_counts`. No server waits for this row. */
const SERVER = 'import';

/**
 * Queues nothing for PostHog. Empties the rows of clicks that are forgotten in the log, which a restored backup may bring back.
 *
 * @returns the places of those that were not in the table
 */
export const importClicks = defineWork(
  import.meta.url,
  'importClicks',
  async (session, clicks: LoggedClick[]): Promise<number[]> => {
    const { fresh } = await storeClicks.run(session, clicks, { server: SERVER, toPosthog: false });
    const forgotten = clicks.filter(({ forgotten_at }) => forgotten_at !== null);
    await session.runEach(
      FORGET,
      forgotten.map(({ id, forgotten_at }) => [id, forgotten_at]),
    );
    return fresh;
  },
);
