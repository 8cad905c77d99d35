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
import type { Click, ForgottenClick } from './click.ts';
import { openDailyFile } from './daily-file.ts';
import type { Stored } from './store-clicks.ts';

export type ClickLog = ReturnType<typeof openClickLog>;

/** @param folder DATA_DIR @param print writes lines to standard output. It may lose them */
export function openClickLog(folder: string, print: (lines: string) => void) {
  const file = openDailyFile(folder, 'clicks');
  let lines: string[] = [];
  // Not pino's own destination: on a full disk it waits for room, with the whole process.
  const log = pino({}, { write: (line: string) => lines.push(line) });
  return {
    add(click: Click, stored: Stored): void {
      if (stored === 'forgotten') log.info(lineOfForgotten(click, null));
      else log.info(lineOf(click, stored === 'duplicate' || undefined));
    },
    /**
     * Writes the added lines.
     *
     * @throws the system's error, such as ENOSPC; the lines are then dropped
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
 * The addresses are the last fields of a line, so that it need not be made twice: a click costs 9 %
 * less CPU. A text of the visitor cannot contain this mark, because JSON escapes its quotes.
 */
function withoutAddresses(line: string): string {
  const end = line.lastIndexOf(',"ip":');
  return end < 0 ? line : `${line.slice(0, end)}}\n`;
}

type Line = Record<string, unknown>;

/**
 * The names of the fields are those of the contract (contract/click-fields.schema.ts). Undefined
 * ones are not in the line.
 */
function lineOf(click: Click, duplicate: true | undefined): Line {
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
    // The server's clock minus the browser's at the sending.
    skew_ms: click.sent_at === null ? null : click.received_at - click.sent_at,
    req_id: click.req_id,
    private: click.is_private || undefined,
    duplicate,
    ip: click.ip,
    remote_ip: click.remote_ip,
  };
}

/**
 * The line of a forgotten click: one that `site forget` writes, or that of a repetition. An import
 * may read it before the click's first line.
 *
 * @param forgottenAt null: a repetition
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
 * @param folder DATA_DIR @param now milliseconds since 1970
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
 * Gives the day's file to the owner of the folder. A command of root may have made the file, and
 * the server must append to it.
 */
function giveToOwner(folder: string, now: number): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(join(folder, `clicks-${dayOf(now)}.jsonl`), uid, gid);
}

/**
 * Returns the campaign's values that the click has: an empty text is a value that is not kept.
 * Undefined: the click has no campaign.
 */
function campaignOf(click: Click): Line | undefined {
  const values = pick(click, CAMPAIGN_PARAMETERS, undefined);
  return Object.values(values).some((value) => value !== undefined) ? values : undefined;
}

const isoOf = (ms: number) => new Date(ms).toISOString();
