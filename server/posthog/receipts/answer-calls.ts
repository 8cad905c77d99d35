/** Answers the calls of threaded-receipts.ts, in the thread that has the SQLite file. The thread ends with an error if the file cannot be opened. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteReceipts } from './sqlite-receipts.ts';
import type { ReceiptsAnswer, ReceiptsCall } from './threaded-receipts.ts';

/** Nothing else waits for this thread, so it may wait for the lock longer than the main thread could. */
const LOCK_TIMEOUT_MS = 5000;

const send = (message: ReceiptsAnswer) => parentPort?.postMessage(message);
const store = openSqliteReceipts(String(workerData), {
  onReplaced: (movedTo) => send({ replaced: movedTo }),
  lockTimeoutMs: LOCK_TIMEOUT_MS,
});

parentPort?.on('message', async ({ id, method, args }: ReceiptsCall) => {
  try {
    const run = store[method] as (...args: unknown[]) => Promise<unknown>;
    send({ id, result: await run(...args) });
  } catch (cause) {
    // A copy of an Error between threads would lose these two.
    const { message, code, errcode } = cause as Error & { code?: string; errcode?: number };
    send({ id, error: { message, code, errcode } });
  }
  // Without the open port the thread ends.
  if (method === 'close') parentPort?.close();
});
