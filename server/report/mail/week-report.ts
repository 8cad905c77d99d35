/** Writes the mail with the report of a week. Each attempt makes the same mail, because it is the report as of one time. */
import { readCodes } from '../../links/campaigns.ts';
import type { Mail } from '../../registrations/mail/transport.ts';
import { printHtml } from '../html/print-html.ts';
import { printText } from '../print-text.ts';
import { readReport } from '../read-report.ts';
import { DUE_HOUR, HOUR_MS, startOfWeek, WEEK_MS } from './due-week.ts';
import type { ReportMailRow } from './report-mail-store.ts';

const ROWS = 10;

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
