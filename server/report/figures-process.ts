/**
 * Reads the figures of a period and of the one before, each in a thread, and writes them to standard output. Started by
 * read-report.ts.
 */
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openReader } from '../database/open-reader.ts';
import { type Figures, withoutSmallest } from './figures.ts';
import type { Period } from './question.ts';
import { readFigures } from './read-figures.ts';
import type { BothFigures, FiguresOrder } from './read-report.ts';

if (isMainThread) {
  // Clicks come first where the processors are busy. The threads inherit it.
  setPriority(constants.priority.PRIORITY_LOW);
  const order: FiguresOrder = JSON.parse(await text(process.stdin));
  const { period, before: earlier } = order.question;
  const [now, before] = await Promise.all([readApart(order, period), readApart(order, earlier)]);
  process.stdout.write(JSON.stringify({ now, before } satisfies BothFigures));
} else {
  const { urls, file, question, period } = workerData as FiguresOrder & { period: Period };
  const reader = await openReader(urls, file);
  parentPort?.postMessage(withoutSmallest(await readFigures(reader, period, question)));
  await reader.close();
}

async function readApart(order: FiguresOrder, period: Period): Promise<Figures> {
  const thread = new Worker(import.meta.filename, { workerData: { ...order, period } });
  const [figures] = await once(thread, 'message');
  return figures;
}
