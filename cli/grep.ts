/** `clicks grep`: prints the lines of ledgers that match a pattern. */
import { printable } from '../server/text/printable.ts';
import { createColumns } from './click-columns.ts';
import { filesOf, ledgerChunks } from './ledger-chunks.ts';
import { lineFilter } from './line-filter.ts';
import { rawLine } from './raw-line.ts';
import { readCount, readSince, UsageError } from './usage-error.ts';
import { warn } from './warn.ts';

export const GREP_OPTIONS = {
  field: { type: 'string' },
  'ignore-case': { type: 'boolean', short: 'i' },
  columns: { type: 'string' },
  since: { type: 'string' },
  limit: { type: 'string' },
  ledger: { type: 'string', multiple: true },
} as const;

interface Options {
  /** A regular expression of JavaScript. */
  pattern: string | undefined;
  /** The field whose value must match, such as `campaign.utm_source`. By default the whole line must match. */
  field?: string | undefined;
  'ignore-case'?: boolean | undefined;
  /** Names of fields, separated by commas: their values are printed, separated by tabs. `all`: as `tail` prints them. */
  columns?: string | undefined;
  since?: string | undefined;
  limit?: string | undefined;
}

/**
 * @param paths of the ledgers
 * @throws UsageError, or an Error if no line matches
 */
export async function grep(
  paths: readonly string[],
  options: Options,
  print: (text: string) => Promise<void>,
): Promise<void> {
  const since = readSince(options.since, Date.now());
  const limit = readCount('limit', options.limit, Number.POSITIVE_INFINITY);
  const isMatch = matcher(options);
  const isInTime = lineFilter({ since });
  const write = writer(options.columns);
  for (const path of paths) filesOf(path);
  let found = 0;
  for await (const { lines } of ledgerChunks(paths, { since })) {
    for (const line of lines) {
      if (!isMatch(line) || !isInTime(line)) continue;
      if (found === limit) return warn(`There are more lines than --limit ${limit}.`);
      found += 1;
      await print(write(line));
    }
  }
  if (found === 0) throw new Error('No line matches.');
}

function matcher({ pattern, field, 'ignore-case': ignoresCase }: Options) {
  if (pattern === undefined) throw new UsageError('grep needs a pattern, such as clinic-7');
  const expression = compile(pattern, ignoresCase ? 'iu' : 'u');
  if (field === undefined) return (line: string) => expression.test(line);
  const path = field.split('.');
  return (line: string) => {
    const value = valueAt(line, path);
    return value !== undefined && expression.test(textOf(value));
  };
}

function compile(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw new UsageError(`The pattern is not a regular expression: ${(cause as Error).message}`);
  }
}

function writer(names: string | undefined): (line: string) => string {
  if (names === undefined) return (line) => `${rawLine(line)}\n`;
  if (names === 'all') return createColumns(process.stdout).row;
  const paths = names.split(',').map((name) => name.trim().split('.'));
  return (line) => {
    const cells = paths.map((path) => printable(textOf(valueAt(line, path) ?? '')));
    return `${cells.join('\t')}\n`;
  };
}

/** @returns undefined if the line is not JSON, or has no such field */
function valueAt(line: string, path: readonly string[]): unknown {
  try {
    let value: unknown = JSON.parse(line);
    for (const name of path) value = Object(value)[name];
    return value;
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
