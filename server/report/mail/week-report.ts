/** Writes the mail with the report of a week. Each attempt makes the same mail, because it is the report as of one time. */
import { readCodes } from '../../links/campaigns.ts';
import type { Mail } from '../../registrations/mail/transport.ts';
import { printHtml } from '../html/print-html.ts';
import { printText } from '../print-text.ts';
import { readReport } from '../read-report.ts';
import { dayOf, isoWeek, startOf } from '../weeks.ts';
import type { ReportMailRow } from './report-mail-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Hours after the week's end, so that clicks that were under way are in it. */
const DUE_HOUR = 6;
const ROWS = 10;

/** @returns the last complete week whose report is due; `now` in milliseconds since 1970 */
export function dueWeek(now: number): string {
  return isoWeek(dayOf(mondayOf(now - DUE_HOUR * HOUR_MS) - WEEK_MS));
}

function mondayOf(ms: number): number {
  const day = startOf(dayOf(ms));
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS;
}

/** @returns milliseconds since 1970 of the Monday with which an ISO week begins */
function startOfWeek(week: string): number {
  const [year = 0, number = 0] = week.split('-W').map(Number);
  // January 4 is always in week 1.
  return mondayOf(Date.UTC(year, 0, 4)) + (number - 1) * WEEK_MS;
}

export interface WeekReportOptions {
  dataDir: string;
  folders: readonly string[];
  /** The table of codes; null: there is none. */
  campaignsFile: string | null;
  to: readonly string[];
  /** Other servers share the database, and their ledgers are not in `folders`. */
  isPartial: boolean;
  warn: (message: string) => void;
}

const PARTIAL =
  'Only the clicks of one server are in this report. Name the data folders of the others in REPORT_LEDGERS.';

export async function writeWeekReport(
  { id, week, createdAt }: ReportMailRow,
  { to, isPartial, campaignsFile, ...source }: WeekReportOptions,
): Promise<Mail> {
  const since = startOfWeek(week);
  const until = since + WEEK_MS;
  const scope = { since, until, asOf: until + DUE_HOUR * HOUR_MS };
  const read = await readReport({
    ...source,
    ...scope,
    top: ROWS,
    isShared: false,
    codes: readCodes(campaignsFile, source.warn),
    receipts: null,
  });
  const report = isPartial ? { ...read, unknown: [PARTIAL, ...read.unknown] } : read;
  return {
    id,
    to,
    date: createdAt,
    subject: `Clicks in week ${week}`,
    text: printText(report),
    attachments: [
      {
        filename: `clicks-${week}.html`,
        content: printHtml(report),
        contentType: 'text/html; charset=utf-8',
      },
    ],
  };
}
