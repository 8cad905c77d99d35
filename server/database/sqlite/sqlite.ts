/** The database in one file, with node:sqlite, for one server. A thread writes; this one reads. */
import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Database, DatabaseFault } from '../database.ts';
import { nameOfWork } from '../name-of-work.ts';
import { connect, toFault } from './sqlite-file.ts';
import type { Answer, Order, ThreadData } from './sqlite-thread.ts';

/**
 * Opens or makes the file, and its tables.
 *
 * @param isServer whether this process has locked the folder, and watches the file
 * @throws (rejects with) a DatabaseFault
 */
export async function openSqlite(path: string, isServer: boolean): Promise<Database> {
  // SQLite would make a file that every user of the machine can read. Its files beside it get the
  // same rights.
  closeSync(openSync(path, 'a', 0o640));
  const thread = await startThread({ path, isServer });
  const reader = connect(path, { readOnly: true });
  return {
    kind: 'sqlite',
    // The thread calls the same work, so its answer has the type of the work's result.
    transaction: async (work, ...args) =>
      thread.ask({ name: nameOfWork(work), args }) as Promise<never>,
    async read(sql, values = []) {
      try {
        return reader.all(sql, values);
      } catch (cause) {
        throw toFault(cause);
      }
    },
    holds: async () => true,
    // The thread's connection overwrites deleted rows. The write-ahead log may still have them.
    overwriteDeleted: async () => void (await thread.ask('checkpoint')),
    async close() {
      // Before the thread's connection, because the last one that closes deletes the write-ahead
      // log.
      reader.db.close();
      await thread.ask('checkpoint').catch(() => {});
      await thread.worker.terminate();
    },
  };
}

async function startThread(workerData: ThreadData) {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData });
  const waiting: Omit<PromiseWithResolvers<unknown>, 'promise'>[] = [];
  const expectAnswer = () => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  let ended: DatabaseFault | null = null;
  const rejectAll = (fault: DatabaseFault) => {
    ended = fault;
    for (const { reject } of waiting.splice(0)) reject(fault);
  };
  worker.on('message', (answer: Answer | object) => {
    // `node --watch` sends messages of its own.
    if (!('fault' in answer || 'result' in answer)) return;
    const first = waiting.shift();
    if ('fault' in answer)
      first?.reject(new DatabaseFault(answer.fault.message, answer.fault.code));
    else first?.resolve(answer.result);
  });
  worker.on('error', (cause) => rejectAll(toFault(cause)));
  worker.on('exit', () => rejectAll(new DatabaseFault('The database is closed', 'closed')));
  const ask = async (order: Order | 'checkpoint') => {
    if (ended) throw ended;
    const answer = expectAnswer();
    worker.postMessage(order);
    return answer;
  };
  await expectAnswer().catch(async (cause) => {
    await worker.terminate();
    throw cause;
  });
  return { ask, worker };
}
