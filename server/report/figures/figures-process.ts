/**
 * Reads the figures or the rows of a selection, and writes them to standard output. Started by
 * read-report.ts.
 */
import { writeSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { openReader, type Reader } from '../../database/open-reader.ts';
import { csvCell } from '../../html/safe-text.ts';
import { readFigures } from './read-figures.ts';
import type { FiguresOrder } from './read-report.ts';
import { type Counted, type Selection, selectRows, TABLES } from './selection.ts';

/** Characters that are written at a time. */
const CHUNK = 65_536;

// The server logs the cause. A stack would say no more to an operator.
process.once('uncaughtException', (cause: NodeJS.ErrnoException) => {
  writeSync(2, cause.message || String(cause.code));
  process.exit(1);
});
// Clicks come first where the processors are busy. At the lowest priority, a reader would wait
// there for minutes.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const order: FiguresOrder = JSON.parse(await text(process.stdin));
const reader = await openReader(order.urls, order.file);
await reader.freeze();
if (order.what === 'figures')
  process.stdout.write(JSON.stringify(await readFigures(reader, order)));
else await printRows(reader, order, order.what);
await reader.close();

/**
 * Prints the rows behind the figures as CSV: without addresses, browsers and ids of visits.
 * `rated`: whether the click counts for clicks per 100 visits.
 */
async function printRows(reader: Reader, selection: Selection, what: Counted): Promise<void> {
  const rows = selectRows(what, selection);
  const at = what === 'clicks' ? 'received_at' : 'viewed_at';
  const names = TABLES.filter((name) => rows.columns[name] !== null);
  const more = what === 'clicks' ? { via: 'via', rated: rows.rated } : {};
  const selected = [at, ...names.map((name) => rows.columns[name]), ...Object.values(more)];
  const sql = `SELECT ${selected.join(',\n  ')}
FROM ${what}
WHERE ${rows.counted}
ORDER BY ${what === 'clicks' ? 'id' : at}`;
  let lines = `${[at, ...names, ...Object.keys(more)].map(csvCell).join()}\r\n`;
  // It waits until the pipe's end reads. `process.stdout` would keep all rows in memory.
  const flush = () => {
    for (let left = Buffer.from(lines); left.length > 0; ) left = left.subarray(writeSync(1, left));
    lines = '';
  };
  await reader.each(sql, rows.values, ([at, ...texts]: [number, ...string[]]) => {
    lines += `${[new Date(at).toISOString(), ...texts].map(csvCell).join()}\r\n`;
    if (lines.length > CHUNK) flush();
  });
  flush();
}
