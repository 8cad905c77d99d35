/** The thread that writes to SQLite's file: one message from the main thread is one transaction. */
import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { works } from '../../works.ts';
import { DatabaseFault, makeQueue, type Work } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { WorkName } from '../name-of-work.ts';
import { connect, sessionOf, toFault } from './sqlite-file.ts';

export interface Order {
  name: WorkName;
  args: unknown[];
}

/** `fault`: message and code, because an Error loses its own properties on the way. */
export type Answer = { result: unknown } | { fault: { message: string; code: string } };

const path = workerData as string;
const connection = connect(path);
const { db } = connection;
const inode = () => statSync(path, { throwIfNoEntry: false })?.ino;
const opened = inode();
// FULL: commits wait for the disk, so that an acknowledged click outlives a power cut. The checkpoint is at 40 MB: SQLite's
// 4 MB cost a tenth of the throughput, and each commit would try it in vain while a report reads.
db.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 10000; PRAGMA secure_delete = ON',
);
const session = sessionOf(connection);

async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  // The open file would take the clicks, and vanish with them when the server stops.
  if (inode() !== opened)
    throw new DatabaseFault(`${path} was moved, deleted or replaced. Restart the server.`, 'moved');
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (cause) {
    // After a full disk, SQLite has ended the transaction by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw cause;
  }
}

function obey({ name, args }: Order): Promise<unknown> {
  const work = works[name] as Work<unknown[], unknown>;
  return inTransaction(() => work(session, ...args));
}

const inTurn = makeQueue();
const answerWith = (work: () => Promise<unknown>) =>
  inTurn(work).then(
    (result) => parentPort?.postMessage({ result } satisfies Answer),
    (cause) => {
      const { message, code } = toFault(cause);
      parentPort?.postMessage({ fault: { message, code } } satisfies Answer);
    },
  );

// The first answer tells the main thread that the tables are there.
answerWith(() => inTransaction(() => migrate(session)));
parentPort?.on('message', (order: Order | 'checkpoint') => {
  const checkpoint = async () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  answerWith(order === 'checkpoint' ? checkpoint : () => obey(order));
});
