/**
 * Runs the receipts' SQLite in a thread. SQLite blocks its thread while it writes, and on a busy disk that takes up to a third of a
 * second. On the main thread every click would wait for it.
 */
import { Worker } from 'node:worker_threads';
import type { ReceiptStore } from './receipt-store.ts';

export interface ReceiptsCall {
  id: number;
  method: keyof ReceiptStore;
  args: unknown[];
}

export type ReceiptsAnswer =
  | { id: number; result: unknown }
  | {
      id: number;
      error: { message: string; code?: string | undefined; errcode?: number | undefined };
    }
  | { replaced: string };

interface Pending {
  resolve(result: never): void;
  reject(cause: unknown): void;
}

/** An object, so that the compiler finds a missing method. */
const METHODS: Record<keyof ReceiptStore, true> = {
  ...{ record: true, find: true, markInLedger: true, claim: true, release: true, abandon: true },
  ...{ keep: true, dueEvents: true, postpone: true, discard: true, expireWaiting: true },
  ...{
    discardVisits: true,
    forgetClicks: true,
    waitingSize: true,
    position: true,
    setPosition: true,
  },
  ...{ forget: true, close: true },
};

/**
 * Opens or makes the file. The thread starts again with the next call after it has failed.
 *
 * @param onReplaced gets the new path of a damaged file
 * @throws (rejects) when the file cannot be opened, or is from a newer version
 */
export async function openThreadedReceipts(
  path: string,
  onReplaced: (movedTo: string) => void,
): Promise<ReceiptStore> {
  const pending = new Map<number, Pending>();
  let thread: Worker | null = null;
  let calls = 0;
  let closed = false;

  const start = () => {
    const worker = new Worker(new URL('./receipts-thread.js', import.meta.url), {
      workerData: path,
      execArgv: [],
    });
    let fault: unknown = new Error('The thread of the receipts has ended.');
    worker.on('message', (answer: ReceiptsAnswer) => {
      if ('replaced' in answer) return onReplaced(answer.replaced);
      const call = pending.get(answer.id);
      pending.delete(answer.id);
      if (pending.size === 0) worker.unref();
      if ('error' in answer) call?.reject(Object.assign(new Error(), answer.error));
      else call?.resolve(answer.result as never);
    });
    worker.on('error', (cause) => {
      fault = cause;
    });
    worker.on('exit', () => {
      thread = null;
      for (const { reject } of pending.values()) reject(fault);
      pending.clear();
    });
    return worker;
  };
  const call = (method: keyof ReceiptStore, args: unknown[]) =>
    new Promise<never>((resolve, reject) => {
      if (closed) return reject(new Error('The receipts are closed.'));
      closed = method === 'close';
      thread ??= start();
      // The process may end while no call waits.
      thread.ref();
      calls += 1;
      pending.set(calls, { resolve, reject });
      thread.postMessage({ id: calls, method, args } satisfies ReceiptsCall);
    });
  const methods = Object.keys(METHODS) as (keyof ReceiptStore)[];
  const store = Object.fromEntries(
    methods.map((method) => [method, (...args: unknown[]) => call(method, args)]),
  ) as unknown as ReceiptStore;
  // The first answer says that the file is open.
  await store.waitingSize();
  return store;
}
