/**
 * The operators' log of clicks: one JSON line of pino for each acknowledged click, in
 * DATA_DIR/clicks-DATE.jsonl with all fields, and on standard output without addresses. The table
 * is the record of truth.
 */
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import { escapeJson } from '../html/safe-text.ts';
import { pick } from '../pick.ts';
import { dayOf } from '../time.ts';
import type { ForgottenClick, NewClickRow } from './click.ts';
import { openDailyFile } from './daily-file.ts';
import type { StoreResult } from './store-clicks.ts';

export type ClickLog = ReturnType<typeof openClickLog>;

/**
 * Opens the click log. Add the lines of a transaction, then flush them together.
 *
 * @param folder DATA_DIR
 * @param print writes lines to standard output. It may drop them if the output is slow
 */
export function openClickLog(folder: string, print: (lines: string) => void) {
  const file = openDailyFile(folder, 'clicks');
  let lines: string[] = [];
  // pino's own destination would block the whole process while the disk is full.
  const log = pino({}, { write: (line: string) => lines.push(line) });
  return {
    /** Makes the click's line, which `flush` writes. */
    add(click: NewClickRow, stored: StoreResult): void {
      if (stored === 'forgotten') log.info(lineOfForgotten(click, null));
      else log.info(lineOf(click, stored === 'duplicate' || undefined));
    },
    /**
     * Writes the added lines to the file, and then to standard output.
     *
     * @throws the system's error, such as ENOSPC. The added lines are dropped then
     */
    flush(): void {
      const added = lines.map(escapeJson);
      lines = [];
      file.append(added.join(''));
      print(added.map(withoutAddresses).join(''));
    },
    close: file.close,
  };
}

/**
 * Cuts the addresses off a line, for standard output. They are the last fields of each line, so
 * that the line need not be made a second time: that saves 9 % of a click's CPU time. A visitor's
 * text cannot contain the searched sequence, because JSON escapes quotes.
 */
function withoutAddresses(line: string): string {
  const addressesStart = line.lastIndexOf(',"ip":');
  return addressesStart < 0 ? line : `${line.slice(0, addressesStart)}}\n`;
}

type Line = Record<string, unknown>;

/**
 * Makes the line of a click. The fields have the names of contract/click-fields.schema.ts. A field
 * that is undefined is left out of the line.
 *
 * @param duplicate true: the table had the click before
 */
function lineOf(click: NewClickRow, duplicate: true | undefined): Line {
  return {
    id: click.id,
    visit_id: click.visit_id,
    event: click.event,
    referrer: click.referrer,
    ref_key: click.ref_key ?? undefined,
    timestamp: isoOf(click.clicked_at),
    page_url: click.page_url,
    user_agent: click.user_agent,
    is_mobile: click.is_mobile,
    sent_at: click.sent_at === null ? null : isoOf(click.sent_at),
    campaign: campaignOf(click),
    referring_class: click.referring_class ?? undefined,
    referring_site: click.referring_site ?? undefined,
    ...pick(click, COPIED_NAMES, undefined),
    received_at: isoOf(click.received_at),
    via: click.via,
    is_bot: click.is_bot,
    is_internal: click.is_internal || undefined,
    is_automated: click.is_automated || undefined,
    // The server's clock minus the browser's clock, when the browser sent the click.
    skew_ms: click.sent_at === null ? null : click.received_at - click.sent_at,
    req_id: click.req_id,
    private: click.is_private || undefined,
    duplicate,
    ip: click.ip,
    remote_ip: click.remote_ip,
  };
}

/**
 * Makes the line of a forgotten click. `site forget` writes such a line, and the server writes one
 * when a browser sends a forgotten click again. It has `duplicate`, because an import may read it
 * before the click's first line.
 *
 * @param forgottenAt milliseconds since 1970; null: the browser sent the click again
 */
const lineOfForgotten = (click: ForgottenClick, forgottenAt: number | null): Line => ({
  id: click.id,
  event: click.event,
  received_at: isoOf(click.received_at),
  via: click.via,
  is_bot: click.is_bot,
  is_internal: click.is_internal || undefined,
  is_automated: click.is_automated || undefined,
  private: click.is_private || undefined,
  forgotten_at: forgottenAt === null ? undefined : isoOf(forgottenAt),
  duplicate: true,
});

/**
 * Writes a line for each click that an operator forgets, so that `site import` forgets it too, also
 * in a copy of the log or of the database that is older.
 *
 * @param folder DATA_DIR
 * @param now milliseconds since 1970
 * @throws the system's error, such as ENOSPC
 */
export function logForgotten(folder: string, clicks: Iterable<ForgottenClick>, now: number): void {
  let lines = '';
  const write = (line: string) => {
    lines += line;
  };
  const log = pino({}, { write });
  for (const click of clicks) log.info(lineOfForgotten(click, now));
  if (lines === '') return;
  const file = openDailyFile(folder, 'clicks');
  try {
    file.append(lines);
  } finally {
    file.close();
  }
  giveToOwner(folder, now);
}

/**
 * Gives today's log file to the owner of DATA_DIR. If root runs `site forget`, root may have
 * created the file, and the server could not append to it.
 */
function giveToOwner(folder: string, now: number): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(join(folder, `clicks-${dayOf(now)}.jsonl`), uid, gid);
}

/**
 * Returns the campaign's utm values. An empty text stands for a value that is not kept. Returns
 * undefined if the click has no campaign.
 */
function campaignOf(click: NewClickRow): Line | undefined {
  const values = pick(click, CAMPAIGN_PARAMETERS, undefined);
  return Object.values(values).some((value) => value !== undefined) ? values : undefined;
}

const isoOf = (ms: number) => new Date(ms).toISOString();
