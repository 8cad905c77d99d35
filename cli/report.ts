/** `clicks report`: clicks per day, call to action, ref and more, as text, HTML, CSV, JSON lines or Parquet. */
import { writeFileSync } from 'node:fs';
import type { parseArgs } from 'node:util';
import type { Config } from '../server/config.ts';
import { readCodes } from '../server/links/campaigns.ts';
import { printCsv, printJsonLines, printParquet } from '../server/report/print-rows.ts';
import { printText } from '../server/report/print-text.ts';
import type { ReceiptPlace } from '../server/report/read-receipts.ts';
import { type ReadOptions, readReport } from '../server/report/read-report.ts';
import type { Report, Scope } from '../server/report/report.ts';
import { dayOf, startOf } from '../server/report/weeks.ts';
import { givenPath } from './given-path.ts';
import { readCount, readTime, UsageError } from './usage-error.ts';
import { warn } from './warn.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Options that choose the period, for `report` and `lines`. */
export const SCOPE_OPTIONS = {
  days: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  'as-of': { type: 'string' },
  ledger: { type: 'string', multiple: true },
} as const;

export const REPORT_OPTIONS = {
  ...SCOPE_OPTIONS,
  format: { type: 'string' },
  to: { type: 'string' },
  top: { type: 'string' },
  share: { type: 'boolean' },
} as const;

type Values<T extends Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>> =
  ReturnType<typeof parseArgs<{ options: T }>>['values'];

const FORMATS: Record<string, (report: Report) => string | Uint8Array | Promise<string>> = {
  text: printText,
  html: async (report) => (await import('../server/report/html/print-html.ts')).printHtml(report),
  csv: printCsv,
  jsonl: printJsonLines,
  parquet: printParquet,
};

export async function report(
  [dataDir = '', ...folders]: string[],
  settings: ReceiptPlace & Pick<Config, 'campaignsFile'> & Pick<ReadOptions, 'isDefault'>,
  values: Values<typeof REPORT_OPTIONS>,
  print: (text: string) => void,
): Promise<void> {
  const scope = readScope(values, Date.now());
  const format = values.format ?? formatOf(values.to);
  const write = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (!write)
    throw new UsageError(
      `--format must be one of ${Object.keys(FORMATS).join(', ')}, not "${format}"`,
    );
  if (format === 'parquet' && !values.to)
    throw new UsageError('--to must name a file for --format parquet');
  const top = readCount('top', values.top, 20);
  const isShared = values.share === true;
  const receipts = values['as-of'] === undefined ? settings : null;
  const codes = readCodes(settings.campaignsFile, warn);
  const { isDefault } = settings;
  const options = { ...scope, dataDir, folders, isDefault, top, isShared, codes, receipts, warn };
  const made = await write(await readReport(options));
  if (values.to) writeFileSync(givenPath(values.to), made);
  else print(String(made));
}

/** `report.html` names its format itself. */
const formatOf = (file: string | undefined) =>
  file && /\.(html|csv|jsonl|parquet)$/.exec(file)?.[1]
    ? (/\.(\w+)$/.exec(file)?.[1] ?? 'text')
    : 'text';

/**
 * Reads the period: `--since` and `--until`, or the last days before the end of the day of `--as-of`.
 *
 * @param now milliseconds since 1970; the report counts what had been received by then, or by `--as-of`
 */
export function readScope(values: Values<typeof SCOPE_OPTIONS>, now: number): Scope {
  const days = readCount('days', values.days, 30);
  const asOf = readTime('as-of', values['as-of']) ?? now;
  const until = readTime('until', values.until) ?? startOf(dayOf(asOf)) + DAY_MS;
  const since = readTime('since', values.since) ?? until - days * DAY_MS;
  if (values.days && values.since) throw new UsageError('Give --days or --since, not both');
  if (since >= until) throw new UsageError('--since must be before --until');
  if (until - since > 36_600 * DAY_MS)
    throw new UsageError('The period must be shorter than 100 years');
  return { since, until, asOf };
}
