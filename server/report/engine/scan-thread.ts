/** A thread of a scan. Started by scan.ts, which sends one request after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { countPartitions, createPartReader, type Question, type Shared } from './scan-part.ts';
import type { LedgerFile, Unit } from './units.ts';

export interface ThreadData {
  files: LedgerFile[];
  until: number;
  folder: string;
  name: string;
}

export type ThreadRequest =
  | { kind: 'read'; unit: Unit }
  | { kind: 'finish' }
  | { kind: 'count'; partitions: number[]; shared: Shared; question: Question };

const { files, until, folder, name } = workerData as ThreadData;
const reader = createPartReader(files, until, folder, name);

async function answer(request: ThreadRequest): Promise<unknown> {
  if (request.kind === 'read') return reader.read(request.unit);
  if (request.kind === 'finish') return reader.finish(true);
  return countPartitions(request.partitions, request.shared, request.question);
}

parentPort?.on('message', (request: ThreadRequest) => {
  answer(request).then(
    (result) => parentPort?.postMessage({ result }),
    (error) => parentPort?.postMessage({ error }),
  );
});
