/**
 * The implementation of Database with one SQLite file (node:sqlite), for one server. A worker
 * thread writes, and the main thread reads.
 */
import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Database, DatabaseFault } from '../database.ts';
import { nameOfWork } from '../name-of-work.ts';
import { connectSqlite, toFault } from './sqlite-file.ts';
import type { Answer, ThreadData, WorkCall } from './sqlite-thread.ts';

/**
 * Opens or creates the file, and creates or migrates its tables.
 *
 * @param isServer whether this process holds the lock of the data folder. Only then does it watch
 * the file for replacement
 * @throws (rejects with) a DatabaseFault
 */
export async function openSqlite(path: string, isServer: boolean): Promise<Database> {
  // Creates the file before SQLite does, which would let every user of the machine read it. The
  // -wal and -shm files get the same rights as this file.
  closeSync(openSync(path, 'a', 0o640));
  const thread = await startThread({ path, isServer });
  const reader = connectSqlite(path, { readOnly: true });
  return {
    kind: 'sqlite',
    // The thread runs the same work, so its answer has the work's type.
    transaction: async (work, ...args) =>
      thread.ask({ name: nameOfWork(work), args }) as Promise<never>,
    async read(sql, values = []) {
      try {
        return reader.all(sql, values);
      } catch (cause) {
        throw toFault(cause);
      }
    },
    tryLock: async () => true,
    // `secure_delete` has overwritten deleted rows in the main file. The checkpoint empties the
    // write-ahead log, which may still have them.
    overwriteDeleted: async () => void (await thread.ask('checkpoint')),
    async close() {
      // The reader closes first: the last connection that closes deletes the write-ahead log, and
      // that must be one that can write.
      reader.db.close();
      await thread.ask('checkpoint').catch(() => {});
      await thread.worker.terminate();
    },
  };
}

/**
 * Starts the writing thread, and resolves when the tables are ready. The thread answers messages in
 * their order.
 */
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
    // Ignores messages that `node --watch` sends.
    if (!('fault' in answer || 'result' in answer)) return;
    const first = waiting.shift();
    if ('fault' in answer)
      first?.reject(new DatabaseFault(answer.fault.message, answer.fault.code));
    else first?.resolve(answer.result);
  });
  worker.on('error', (cause) => rejectAll(toFault(cause)));
  worker.on('exit', () => rejectAll(new DatabaseFault('The database is closed', 'closed')));
  const ask = async (order: WorkCall | 'checkpoint') => {
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
