/** The thread that writes to SQLite's file: one message from the main thread is one transaction. */
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { MINUTE_MS } from '../../time.ts';
import { works } from '../../works.ts';
import { DatabaseFault, makeQueue, type Work } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { WorkName } from '../name-of-work.ts';
import { copyTo } from './copy-database.ts';
import { connect, sessionOf, toFault } from './sqlite-file.ts';
import { findMoved, type Place, placeOf, watchContent } from './watch-files.ts';

export interface Order {
  name: WorkName;
  args: unknown[];
}

/** `fault`: message and code, because an Error loses its own properties on the way. */
export type Answer = { result: unknown } | { fault: { message: string; code: string } };

export interface ThreadData {
  path: string;
  /** Whether this is the server that has locked the folder. A command runs beside it. */
  isServer: boolean;
}

const { path, isServer } = workerData as ThreadData;
const connection = connect(path);
const { db } = connection;
// FULL: commits wait for the disk, so that an acknowledged click outlives a power cut. The
// checkpoint is at 40 MB: SQLite's 4 MB cost a tenth of the throughput, and each commit would try
// it in vain while a report reads.
db.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 10000; PRAGMA secure_delete = ON',
);
const session = sessionOf(connection);
const run = randomInt(1, 2 ** 31);
const content = isServer ? watchContent(path, run) : null;
/** Null until the first transaction has made the write-ahead log. */
let opened: Place | null = null;
/** The `user_version` of the last commit. */
let generation = 0;

async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  checkFiles();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    const next = nextGeneration();
    if (next !== generation) db.exec(`PRAGMA user_version = ${next}`);
    db.exec('COMMIT');
    generation = next;
    // Before the answer, because an overwritten file must not be acknowledged.
    content?.check();
    return result;
  } catch (cause) {
    // After a full disk, SQLite has ended the transaction by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw cause;
  }
}

/** The next `user_version`, higher than the file's, so that the next checkpoint writes it. */
const nextGeneration = () => (content ? content.generation() + 1 : generation);

function checkFiles(): void {
  const moved = opened && findMoved(path, opened);
  // SQLite itself deletes the log of a file that was emptied.
  if (moved !== path) content?.check();
  if (moved) throw new DatabaseFault(`${moved} ${describeMoved()}`, 'moved');
  rescue = null;
}

/** The copy of all that this connection has, which would vanish with it. */
let rescue: { to: string; fault: string | null; at: number } | null = null;

function describeMoved(): string {
  const text = 'was moved, deleted or replaced.';
  if (!isServer) return text;
  const at = performance.now();
  // A failed copy is tried again after a minute, because each try may fill the disk.
  if (!rescue || (rescue.fault !== null && at - rescue.at > MINUTE_MS)) rescue = save(at);
  if (rescue.fault !== null)
    return `${text} Put it back before you restart the server: what it had could not be saved (${rescue.fault}).`;
  return `${text} All that the server had is saved in ${rescue.to}. Stop the server, delete ${path}, ${path}-wal and ${path}-shm, move the saved file to ${path}, and start it.`;
}

function save(at: number) {
  const to = `${path}.saved-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  try {
    copyTo(db, to);
    return { to, fault: null, at };
  } catch (cause) {
    rmSync(to, { force: true });
    return { to, fault: (cause as Error).message, at };
  }
}

/** Makes the tables, and lets the file tell which server has written it last. */
async function begin(): Promise<void> {
  await inTransaction(async () => {
    await migrate(session);
    if (isServer) db.exec(`PRAGMA application_id = ${run}`);
  });
  if (isServer) db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  content?.check();
  opened = placeOf(path);
}

function obey({ name, args }: Order): Promise<unknown> {
  const work = works[name] as Work<unknown[], unknown>;
  return inTransaction(() => work(session, ...args));
}

async function checkpoint(): Promise<void> {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
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
answerWith(begin);
parentPort?.on('message', (order: Order | 'checkpoint') => {
  answerWith(order === 'checkpoint' ? checkpoint : () => obey(order));
});
