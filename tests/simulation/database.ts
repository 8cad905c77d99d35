/**
 * One SQLite file as the database of all servers of a world. Each server has a connection that
 * fails with the probabilities of the weather. Transactions run in this thread, because virtual
 * time does not apply to SQLite's thread.
 */
import { join } from 'node:path';
import {
  createSerialQueue,
  type Database,
  DatabaseFault,
  type Session,
} from '../../server/database/database.ts';
import { migrate } from '../../server/database/migrate.ts';
import { nameOfWork } from '../../server/database/name-of-work.ts';
import { connectSqlite, sessionOf, toFault } from '../../server/database/sqlite/sqlite-file.ts';
import { MINUTE_MS } from '../../server/time.ts';
import { random } from './random.ts';
import type { Life } from './server.ts';
import { never, pass } from './waits.ts';
import type { World } from './world.ts';

export type SharedDatabase = Awaited<ReturnType<typeof openSharedDatabase>>;

/** Creates the file and its tables. Commits do not wait for the disk. */
export async function openSharedDatabase(folder: string) {
  const file = join(folder, 'site.db');
  const connection = connectSqlite(file);
  const { db } = connection;
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  const session = sessionOf(connection);
  const oneAtATime = createSerialQueue();
  const inTransaction = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    oneAtATime(async () => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = await work(session);
        db.exec('COMMIT');
        return result;
      } catch (cause) {
        db.exec('ROLLBACK');
        throw toFault(cause);
      }
    });
  await inTransaction(migrate);
  return {
    file,
    inTransaction,
    read: connection.all,
    /** The server that holds each job's lock, and so does that job for all servers. */
    leaders: new Map<string, Life>(),
    close: () => db.close(),
  };
}

/** Returns the connection of an operator's command, which never fails. */
export const operatorsDatabase = ({ inTransaction, read }: SharedDatabase): Database => ({
  kind: 'sqlite',
  async transaction(work, ...args) {
    nameOfWork(work);
    return inTransaction((session) => work(session, ...args));
  },
  read: async (sql, values = []) => read(sql, values),
  tryLock: async () => true,
  overwriteDeleted: async () => {},
  close: async () => {},
});

/** Returns the connection of one server. If the server is dead, its calls never settle. */
export function connectTo(world: World, life: Life): Database {
  const { database } = world;
  const inTurn = createSerialQueue();
  const refuseWhileDown = () => {
    if (!world.isDatabaseDown) return;
    // Another server may take over this one's jobs in the meantime.
    world.disturb(MINUTE_MS);
    throw new DatabaseFault('connect ECONNREFUSED', 'ECONNREFUSED');
  };
  const transact = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    if (!life.isAlive) return never();
    refuseWhileDown();
    if (random.chance(world.weather.databaseSlow))
      await pass(random.pick([5, 50, 900, 3_000, 6_000]));
    if (!life.isAlive) return never();
    if (world.hits(world.weather.databaseBefore))
      throw new DatabaseFault('terminating connection', '57P01');
    const result = await database.inTransaction(work);
    if (world.hits(world.weather.killAfterCommit)) life.kill();
    if (!life.isAlive) return never();
    if (world.hits(world.weather.databaseAfter))
      throw new DatabaseFault('Connection terminated unexpectedly', '08006');
    return result;
  };
  return {
    kind: 'sqlite',
    async transaction(work, ...args) {
      nameOfWork(work);
      return inTurn(() => transact((session) => work(session, ...args)));
    },
    async read(sql, values = []) {
      if (!life.isAlive) return never();
      refuseWhileDown();
      return database.read(sql, values);
    },
    async tryLock(job) {
      if (!life.isAlive) return never();
      const { leaders } = database;
      if (world.isDatabaseDown && leaders.get(job) === life) leaders.delete(job);
      refuseWhileDown();
      if (!leaders.has(job)) leaders.set(job, life);
      return leaders.get(job) === life;
    },
    overwriteDeleted: async () => {},
    close: async () => {},
  };
}
