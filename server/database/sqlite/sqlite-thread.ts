/**
 * The worker thread that writes to SQLite's file. Each message from the main thread is one
 * transaction.
 */
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { MINUTE_MS } from '../../time.ts';
import { works } from '../../works.ts';
import { createSerialQueue, DatabaseFault, type Work } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { WorkName } from '../name-of-work.ts';
import { copyOpenDatabase } from './copy-database.ts';
import { connectSqlite, sessionOf, toFault } from './sqlite-file.ts';
import { findReplacedFile, type Inodes, readInodes, watchHeader } from './watch-files.ts';

/** A request to run a work of server/works.ts in a transaction. */
export interface WorkCall {
  name: WorkName;
  args: unknown[];
}

/**
 * The answer to a request. A fault is sent as message and code, because an Error loses its own
 * properties between threads.
 */
export type Answer = { result: unknown } | { fault: { message: string; code: string } };

export interface ThreadData {
  path: string;
  /** Whether this process is the server, which holds the folder's lock. Commands run beside it. */
  isServer: boolean;
}

const { path, isServer } = workerData as ThreadData;
const connection = connectSqlite(path);
const { db } = connection;
// `synchronous = FULL`: a commit waits for the disk, so that an acknowledged click survives a power
// cut. `wal_autocheckpoint`: a checkpoint follows at 40 MB. SQLite's default of 4 MB costs a tenth
// of the throughput, and while a report reads, each commit would try a checkpoint in vain.
db.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 10000; PRAGMA secure_delete = ON',
);
const session = sessionOf(connection);
const runId = randomInt(1, 2 ** 31);
const watchedFile = isServer ? watchHeader(path, runId) : null;
/**
 * Inodes of the files after the first transaction, which creates the write-ahead log. Null before.
 */
let inodesAtStart: Inodes | null = null;
/** The `user_version` of this thread's last commit. */
let lastGeneration = 0;

/** Runs a work in a transaction, if the files are still those that were opened. */
async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  checkFiles();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    const next = nextGeneration();
    if (next !== lastGeneration) db.exec(`PRAGMA user_version = ${next}`);
    db.exec('COMMIT');
    lastGeneration = next;
    // Checked before the answer: a click in an overwritten file must not be acknowledged.
    watchedFile?.check();
    return result;
  } catch (cause) {
    // Only if the transaction is still open: on a full disk, SQLite has rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw cause;
  }
}

/**
 * Returns a `user_version` above the file's own, so that the next checkpoint changes the file's
 * header.
 */
const nextGeneration = () => (watchedFile ? watchedFile.generation() + 1 : lastGeneration);

/**
 * Checks that nobody has moved, deleted, replaced or overwritten the files.
 *
 * @throws a DatabaseFault
 */
function checkFiles(): void {
  const replacedFile = inodesAtStart && findReplacedFile(path, inodesAtStart);
  // Checked even if only the log is gone, because SQLite itself deletes the log of a truncated
  // file.
  if (replacedFile !== path) watchedFile?.check();
  if (replacedFile) throw new DatabaseFault(`${replacedFile} ${describeMoved()}`, 'moved');
  rescueCopy = null;
}

/**
 * The copy that was saved after the files had been moved or deleted. Only the open connection still
 * has that data, so it would be lost with the process.
 */
let rescueCopy: { to: string; fault: string | null; at: number } | null = null;

/** Saves a copy if this is the server, and returns what the operator has to do. */
function describeMoved(): string {
  const text = 'was moved, deleted or replaced.';
  if (!isServer) return text;
  const at = performance.now();
  // A failed copy is tried again only after a minute, because each attempt may fill the disk.
  if (!rescueCopy || (rescueCopy.fault !== null && at - rescueCopy.at > MINUTE_MS))
    rescueCopy = saveRescueCopy(at);
  if (rescueCopy.fault !== null)
    return `${text} Put it back before you restart the server: what it had could not be saved (${rescueCopy.fault}).`;
  return `${text} All that the server had is saved in ${rescueCopy.to}. Stop the server, delete ${path}, ${path}-wal and ${path}-shm, move the saved file to ${path}, and start it.`;
}

function saveRescueCopy(at: number) {
  const to = `${path}.saved-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  try {
    copyOpenDatabase(db, to);
    return { to, fault: null, at };
  } catch (cause) {
    rmSync(to, { force: true });
    return { to, fault: (cause as Error).message, at };
  }
}

/**
 * Creates or migrates the tables, and writes this process's number into the file's header, by which
 * `watchHeader` recognises the file.
 */
async function prepareFile(): Promise<void> {
  await inTransaction(async () => {
    await migrate(session);
    if (isServer) db.exec(`PRAGMA application_id = ${runId}`);
  });
  if (isServer) db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  watchedFile?.check();
  inodesAtStart = readInodes(path);
}

/** Runs the work of a message in a transaction. */
function runWork({ name, args }: WorkCall): Promise<unknown> {
  const work = works[name] as Work<unknown[], unknown>;
  return inTransaction(() => work(session, ...args));
}

/** Moves the write-ahead log into the main file, and empties the log. */
async function checkpoint(): Promise<void> {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

const enqueue = createSerialQueue();
const answerWith = (work: () => Promise<unknown>) =>
  enqueue(work).then(
    (result) => parentPort?.postMessage({ result } satisfies Answer),
    (cause) => {
      const { message, code } = toFault(cause);
      parentPort?.postMessage({ fault: { message, code } } satisfies Answer);
    },
  );

// The first answer says that the tables are ready.
answerWith(prepareFile);
parentPort?.on('message', (order: WorkCall | 'checkpoint') => {
  answerWith(order === 'checkpoint' ? checkpoint : () => runWork(order));
});
