/** The database in PostgreSQL, for several servers. */
import { randomUUIDv7 } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client } from 'pg';
import { MINUTE_MS, SECOND_MS } from '../../time.ts';
import { type Database, type DatabaseFault, makeQueue, type Row } from '../database.ts';
import { migrate } from '../migrate.ts';
import { nameOfWork } from '../name-of-work.ts';
import { tryClick } from '../try-click.ts';
import { cancelWait } from './cancel.ts';
import { type Connect, createConnect } from './connect.ts';
import { endsStart, LATE, sharedSessions, toFault } from './faults.ts';
import { type Connection, inTransaction, undone } from './session.ts';

/** Upper bound for an answer of PostgreSQL, below the 5 s after which browsers give up. */
const QUERY_MS = 4 * SECOND_MS;
const VACUUM_MS = MINUTE_MS;

/**
 * Makes the tables and connects, or does so with the first query, because a server also starts
 * without PostgreSQL. Connects again with the next query after a failure.
 *
 * @param urls of the primary and its standbys. The one that takes writes is used
 * @throws (rejects with) a DatabaseFault if only an operator can help: the database is newer than
 * this server, or refuses it
 */
export async function openPostgres(urls: readonly string[]): Promise<Database> {
  const connect = createConnect(urls);
  let isPrepared = false;
  const prepareOnce = async () => {
    if (!isPrepared) await prepare(connect);
    isPrepared = true;
  };
  const connection = (limits: { pipeline?: boolean }, prove?: typeof proveWrites) =>
    keepConnection(async () => {
      await prepareOnce();
      const made = await connect({ patienceMs: QUERY_MS, ...limits });
      await prove?.(made);
      return made;
    });
  const writer = connection({ pipeline: true }, proveWrites);
  const [reader, jobs] = [connection({}), connection({})];
  const inTurn = makeQueue();
  await writer
    .use(async () => {})
    .catch((cause: DatabaseFault) => {
      if (endsStart(cause)) throw cause;
    });

  return {
    kind: 'postgres',
    async transaction(work, ...args) {
      nameOfWork(work);
      return inTurn(() =>
        writer.use((made) => inTransaction(made, (session) => work(session, ...args))),
      );
    },
    read: (sql, values = []) =>
      reader.use(async ({ client }) => (await client.query(sql, values)).rows as Row[]),
    holds: (job) => jobs.use((made) => lock(made, job)),
    async overwriteDeleted(tables) {
      // If it fails, PostgreSQL's own autovacuum does the same later.
      const made = await connect({ patienceMs: VACUUM_MS }).catch(() => null);
      await made?.client.query(`VACUUM ${tables.join(', ')}`).catch(() => {});
      await made?.client.end();
    },
    close: () =>
      inTurn(async () => {
        for (const one of [writer, reader, jobs]) await one.end();
      }),
  };
}

/**
 * Makes the tables, on a connection without a limit of time, because a migration may take long.
 *
 * @throws (rejects with) a DatabaseFault
 */
async function prepare(connect: Connect): Promise<void> {
  const made = await connect({});
  try {
    await inTransaction(made, migrate);
  } catch (cause) {
    throw toFault(cause, made.name);
  } finally {
    made.client.end().catch(() => {});
  }
}

/** Shows that a click can be written, and ends the connection otherwise. */
async function proveWrites(made: Connection): Promise<void> {
  try {
    await undone(made, (session) => tryClick(session, hostname(), randomUUIDv7(), Date.now()));
  } catch (cause) {
    made.client.end().catch(() => {});
    throw toFault(cause, made.name);
  }
}

/**
 * Does what a start does in the database, and reads rows. Then undoes all of it.
 *
 * @throws (rejects with) a DatabaseFault
 */
export async function checkPostgres(urls: readonly string[], sql: string): Promise<Row[]> {
  const made = await createConnect(urls)({ patienceMs: QUERY_MS });
  try {
    return await undone(made, async (session) => {
      await migrate(session);
      await tryClick(session, hostname(), randomUUIDv7(), Date.now());
      return session.run(sql);
    });
  } catch (cause) {
    throw toFault(cause, made.name);
  } finally {
    await made.client.end();
  }
}

const TRY_LOCK = 'SELECT pg_try_advisory_lock(hashtext($1)) AS got, pg_backend_pid() AS pid';
/** The process of PostgreSQL that has the locks of a connection. */
const processOfLocks = new WeakMap<Client, number>();

/**
 * Locks a job for this server, until the connection ends. Also asks PostgreSQL if this server has
 * the lock already, because the connection may have lost its server.
 *
 * @returns whether this server has the lock
 */
async function lock({ client, name }: Connection, job: string): Promise<boolean> {
  const { got, pid } = (await client.query(TRY_LOCK, [job])).rows[0];
  if ((processOfLocks.get(client) ?? pid) !== pid) throw sharedSessions(name);
  processOfLocks.set(client, pid);
  return got;
}

/** Keeps one connection, which is made when it is needed, and again after a failure. */
function keepConnection(open: () => Promise<Connection>) {
  type Opened = Connection & { inTurn: ReturnType<typeof makeQueue> };
  let current: Promise<Opened> | null = null;
  const get = (): Promise<Opened> => {
    if (current) return current;
    const opened = open().then((made) => ({ ...made, inTurn: makeQueue() }));
    current = opened;
    const forget = () => {
      if (current === opened) current = null;
    };
    opened.then(({ client }) => client.on('end', forget), forget);
    return opened;
  };
  const end = async (): Promise<void> => {
    const ended = current;
    current = null;
    await ended?.then(({ client }) => client.end()).catch(() => {});
  };
  /**
   * Without its connection, a transaction ends too. One that has not answered in time would make
   * the next query wait.
   */
  const giveUp = ({ client }: Opened, fault: DatabaseFault) => {
    if (fault.code === LATE) cancelWait(client);
    client.end().catch(() => {});
  };
  return {
    /**
     * Runs one work after the other, because pg warns of a query during another one.
     *
     * @throws (rejects with) a DatabaseFault
     */
    async use<T>(work: (made: Connection) => Promise<T>): Promise<T> {
      const asked = get();
      const opened = await asked;
      try {
        return await opened.inTurn(() => work(opened));
      } catch (cause) {
        const fault = toFault(cause, opened.name);
        if (current === asked) current = null;
        giveUp(opened, fault);
        throw fault;
      }
    },
    end,
  };
}
