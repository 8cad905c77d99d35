/** `clicks tail`: prints the last clicks of one or many ledgers in the order of their reception, and then new ones. */
import { createColumns } from './click-columns.ts';
import { followLedger } from './follow-ledger.ts';
import { lastLines } from './last-lines.ts';
import { filesOf } from './ledger-chunks.ts';
import { lineFilter } from './line-filter.ts';
import { linesInOrder, type Reading } from './lines-in-order.ts';
import { rawLine } from './raw-line.ts';
import { readCount, readSince } from './usage-error.ts';

export const TAIL_OPTIONS = {
  follow: { type: 'boolean', short: 'f' },
  lines: { type: 'string', short: 'n' },
  limit: { type: 'string' },
  event: { type: 'string', multiple: true },
  ref: { type: 'string', multiple: true },
  since: { type: 'string' },
  json: { type: 'boolean' },
  ledger: { type: 'string', multiple: true },
} as const;

interface Options {
  follow?: boolean | undefined;
  /** Number of earlier clicks; 10 by default, and all of them with `since`. */
  lines?: string | undefined;
  /** Ends after this number of clicks. */
  limit?: string | undefined;
  event?: string[] | undefined;
  ref?: string[] | undefined;
  since?: string | undefined;
  /** Prints the ledger's lines, unchanged except on a terminal. */
  json?: boolean | undefined;
}

/**
 * With `follow` it runs until the process ends, or until `limit` lines are printed.
 *
 * @param paths of the ledgers
 * @throws an Error when there is no ledger at one of them
 */
export async function tail(
  paths: readonly string[],
  options: Options,
  print: (text: string) => Promise<void>,
): Promise<void> {
  const most = Number.POSITIVE_INFINITY;
  const since = readSince(options.since, Date.now());
  const wanted = readCount('lines', options.lines, since > 0 ? most : 10);
  const limit = readCount('limit', options.limit, most);
  const matches = lineFilter({ ...options, since });
  const columns = createColumns(process.stdout);
  let printed = 0;
  const show = async (line: string) => {
    if (printed >= limit) return;
    printed += 1;
    await print(options.json ? `${rawLine(line)}\n` : columns.row(line));
  };
  for (const path of paths) filesOf(path);
  if (process.stdout.isTTY && !options.json) await print(columns.header());
  const readings: Reading[] = paths.map((path) => ({ path, place: null }));
  const earlier =
    wanted === most
      ? linesInOrder(readings, { since, matches })
      : lastLines(readings, { wanted, since, matches });
  for await (const line of earlier) {
    if (printed >= limit) return;
    await show(line);
  }
  if (!options.follow || printed >= limit) return;
  const stop = new AbortController();
  const showNew = async (lines: string[]) => {
    for (const line of lines) if (matches(line)) await show(line);
    if (printed >= limit) stop.abort();
  };
  await Promise.all(readings.map((reading) => followLedger(reading, showNew, stop.signal)));
}
