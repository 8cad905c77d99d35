/**
 * Reads figures in a process of its own, each period in a thread, or rows, and writes them to standard output. Started by
 * read-report.ts.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openReader, type Reader } from '../database/open-reader.ts';
import { csvCell } from '../text/safe-text.ts';
import { TABLES } from './dimensions.ts';
import { type Figures, withoutSmallest } from './figures.ts';
import type { Period } from './question.ts';
import { readCompleteness, readFigures } from './read-figures.ts';
import type { FiguresOrder } from './read-report.ts';
import { COUNTS, clicksOf } from './selection.ts';

/** Characters that are written at a time. */
const CHUNK = 65_536;

interface Work extends FiguresOrder {
  period: Period;
  isFirst: boolean;
}

if (isMainThread) {
  // Clicks come first where the processors are busy. The threads inherit it.
  setPriority(constants.priority.PRIORITY_LOW);
  const order: FiguresOrder = JSON.parse(await text(process.stdin));
  if (order.what === 'rows') await withReader(order, (reader) => printRows(reader, order));
  else process.stdout.write(JSON.stringify(await readAll(order)));
} else {
  const work = workerData as Work;
  parentPort?.postMessage(await withReader(work, (reader) => read(reader, work)));
}

/** @returns the figures of each period, under each of the order's filters */
function readAll(order: FiguresOrder): Promise<Figures[][]> {
  const works = order.periods.map((period, i): Work => ({ ...order, period, isFirst: i === 0 }));
  return Promise.all(works.map(readApart));
}

async function readApart(work: Work): Promise<Figures[]> {
  const thread = new Worker(import.meta.filename, { workerData: work });
  const [figures] = await once(thread, 'message');
  return figures;
}

async function read(reader: Reader, { filters, period, timeZone, isFirst, now }: Work) {
  const all: Figures[] = [];
  for (const some of filters) {
    const selection = { period, timeZone, filters: some };
    const figures = await readFigures(reader, selection);
    if (isFirst) await readCompleteness(reader, figures, selection, now);
    all.push(withoutSmallest(figures));
  }
  return all;
}

/** Prints the clicks behind the figures as CSV: without addresses, browsers and ids of visits. */
async function printRows(reader: Reader, { periods, timeZone, filters: all }: FiguresOrder) {
  const [period, filters] = [periods[0] as Period, all[0] ?? {}];
  const { columns, where, values } = clicksOf({ period, timeZone, filters });
  const names = ['received_at', ...TABLES, 'via'];
  const selected = ['received_at', ...TABLES.map((name) => columns[name]), 'via'];
  const sql = `SELECT ${selected.join(', ')} FROM clicks WHERE ${where} AND ${COUNTS} ORDER BY id`;
  let lines = `${names.join()}\r\n`;
  // It waits until the pipe's end reads. `process.stdout` would keep all rows in memory.
  const flush = () => {
    for (let left = Buffer.from(lines); left.length > 0; ) left = left.subarray(writeSync(1, left));
    lines = '';
  };
  await reader.each(sql, values, ([at, ...texts]: [number, ...string[]]) => {
    lines += `${[new Date(at).toISOString(), ...texts].map(csvCell).join()}\r\n`;
    if (lines.length > CHUNK) flush();
  });
  flush();
}

async function withReader<T>({ urls, file }: FiguresOrder, work: (reader: Reader) => Promise<T>) {
  const reader = await openReader(urls, file);
  return work(reader).finally(() => reader.close());
}
