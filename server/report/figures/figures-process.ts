/**
 * The program that reads the figures of a selection (written as JSON) or its rows (as CSV). Its
 * order is JSON on standard input. read-report.ts starts it, so that clicks never wait for a
 * report.
 */
import { writeSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { openReader, type Reader } from '../../database/open-reader.ts';
import { csvCell } from '../../html/safe-text.ts';
import { readFigures } from './read-figures.ts';
import type { FiguresOrder } from './read-report.ts';
import { type Counted, type Selection, selectRows, TABLES } from './selection.ts';

/** Characters after which lines are written to the pipe. */
const CHUNK_CHARACTERS = 65_536;

// Writes only the message to standard error: the server logs it, and a stack would not help an
// operator.
process.once('uncaughtException', (cause: NodeJS.ErrnoException) => {
  writeSync(2, cause.message || String(cause.code));
  process.exit(1);
});
// Below the server's priority, so that clicks come first on a busy machine. At the lowest priority,
// a report would take minutes there.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const order: FiguresOrder = JSON.parse(await text(process.stdin));
const reader = await openReader(order.urls, order.file);
await reader.freeze();
if (order.what === 'figures')
  process.stdout.write(JSON.stringify(await readFigures(reader, order)));
else await printRows(reader, order, order.what);
await reader.close();

/**
 * Prints the rows behind the figures as CSV, without addresses, user agents and visit ids. The
 * column `rated` says whether a click counts for clicks per 100 visits.
 */
async function printRows(reader: Reader, selection: Selection, what: Counted): Promise<void> {
  const rows = selectRows(what, selection);
  const timeColumn = what === 'clicks' ? 'received_at' : 'viewed_at';
  const names = TABLES.filter((name) => rows.columns[name] !== null);
  const clickColumns = what === 'clicks' ? { via: 'via', rated: rows.rated } : {};
  const selected = [
    timeColumn,
    ...names.map((name) => rows.columns[name]),
    ...Object.values(clickColumns),
  ];
  const sql = `SELECT ${selected.join(',\n  ')}
FROM ${what}
WHERE ${rows.counted}
ORDER BY ${what === 'clicks' ? 'id' : timeColumn}`;
  let lines = `${[timeColumn, ...names, ...Object.keys(clickColumns)].map(csvCell).join()}\r\n`;
  // writeSync blocks while the pipe is full. `process.stdout` would buffer all rows in memory.
  const flush = () => {
    for (let left = Buffer.from(lines); left.length > 0; ) left = left.subarray(writeSync(1, left));
    lines = '';
  };
  await reader.each(sql, rows.values, ([at, ...texts]: [number, ...string[]]) => {
    lines += `${[new Date(at).toISOString(), ...texts].map(csvCell).join()}\r\n`;
    if (lines.length > CHUNK_CHARACTERS) flush();
  });
  flush();
}
