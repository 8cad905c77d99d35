/**
 * Reads the figures of a period and of the one before, each part in a thread, and writes them to standard output. Started by
 * read-report.ts.
 */
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openReader } from '../database/open-reader.ts';
import { addUp, type Figures, withoutSmallest } from './figures.ts';
import type { Period } from './question.ts';
import { type Part, partsOf, readFigures } from './read-figures.ts';
import type { BothFigures, FiguresOrder } from './read-report.ts';

if (isMainThread) {
  // Clicks come first where the processors are busy. The threads inherit it.
  setPriority(10);
  const order: FiguresOrder = JSON.parse(await text(process.stdin));
  const { period, before: earlier } = order.question;
  const [now, before] = await Promise.all([read(order, period), read(order, earlier)]);
  process.stdout.write(JSON.stringify({ now, before } satisfies BothFigures));
} else {
  const { urls, file, question, part } = workerData as FiguresOrder & { part: Part };
  const reader = await openReader(urls, file);
  parentPort?.postMessage(await readFigures(reader, part, question));
  await reader.close();
}

/** In two parts, so that two processors need half the time. */
async function read(order: FiguresOrder, period: Period): Promise<Figures> {
  const parts = partsOf(period).map((part) => readApart(order, part));
  const [one, other] = await Promise.all(parts as [Promise<Figures>, Promise<Figures>]);
  return withoutSmallest(addUp(one, other));
}

async function readApart(order: FiguresOrder, part: Part): Promise<Figures> {
  const thread = new Worker(import.meta.filename, { workerData: { ...order, part } });
  const [figures] = await once(thread, 'message');
  return figures;
}
