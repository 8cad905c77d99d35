/** The implementation of Database with PostgreSQL, which several servers can share. */
import { randomUUIDv7 } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client } from 'pg';
import { MINUTE_MS, SECOND_MS } from '../../time.ts';
import { createSerialQueue, type Database, type DatabaseFault, type Row } from '../database.ts';
import { migrate } from '../migrate.ts';
import { nameOfWork } from '../name-of-work.ts';
import { tryClick } from '../try-click.ts';
import { cancelQuery } from './cancel.ts';
import { type Connect, createConnect } from './connect.ts';
import { endsStart, LATE_CODE, makeSharedSessionsFault, toFault } from './faults.ts';
import { type Connection, inRolledBackTransaction, inTransaction } from './session.ts';

/**
 * How long the server waits for the answer to a statement, in milliseconds. Browsers give up after
 * 5 s.
 */
const QUERY_TIMEOUT_MS = 4 * SECOND_MS;
const VACUUM_TIMEOUT_MS = MINUTE_MS;

/**
 * Connects, and creates or migrates the tables. If PostgreSQL does not answer, the server starts
 * all the same, and the next query tries again. So does the next query after a lost connection.
 *
 * @param urls of the primary and its standbys. The server uses the one that takes writes
 * @throws (rejects with) a DatabaseFault if only an operator can help: PostgreSQL refuses the
 * login, or the database is newer than this server
 */
export async function openPostgres(urls: readonly string[]): Promise<Database> {
  const connect = createConnect(urls);
  let hasTables = false;
  const makeTablesOnce = async () => {
    if (!hasTables) await makeTables(connect);
    hasTables = true;
  };
  const keepOpen = (limits: { pipeline?: boolean }, prove?: typeof proveWrites) =>
    keepConnection(async () => {
      await makeTablesOnce();
      const connection = await connect({ answerTimeoutMs: QUERY_TIMEOUT_MS, ...limits });
      await prove?.(connection);
      return connection;
    });
  const writer = keepOpen({ pipeline: true }, proveWrites);
  const [reader, jobs] = [keepOpen({}), keepOpen({})];
  const enqueue = createSerialQueue();
  await writer
    .use(async () => {})
    .catch((cause: DatabaseFault) => {
      if (endsStart(cause)) throw cause;
    });

  return {
    kind: 'postgres',
    async transaction(work, ...args) {
      nameOfWork(work);
      return enqueue(() =>
        writer.use((connection) => inTransaction(connection, (session) => work(session, ...args))),
      );
    },
    read: (sql, values = []) =>
      reader.use(async ({ client }) => (await client.query(sql, values)).rows as Row[]),
    tryLock: (job) => jobs.use((connection) => tryAdvisoryLock(connection, job)),
    async overwriteDeleted(tables) {
      // A failure is ignored, because PostgreSQL's autovacuum does the same later.
      const connection = await connect({ answerTimeoutMs: VACUUM_TIMEOUT_MS }).catch(() => null);
      await connection?.client.query(`VACUUM ${tables.join(', ')}`).catch(() => {});
      await connection?.client.end();
    },
    close: () =>
      enqueue(async () => {
        for (const one of [writer, reader, jobs]) await one.end();
      }),
  };
}

/**
 * Creates or migrates the tables. Its connection has no timeout, because a migration may take long.
 *
 * @throws (rejects with) a DatabaseFault
 */
async function makeTables(connect: Connect): Promise<void> {
  const connection = await connect({});
  try {
    await inTransaction(connection, migrate);
  } catch (cause) {
    throw toFault(cause, connection.name);
  } finally {
    connection.client.end().catch(() => {});
  }
}

/**
 * Tries to write a click on a new connection, and closes the connection if that fails.
 *
 * @throws (rejects with) a DatabaseFault
 */
async function proveWrites(connection: Connection): Promise<void> {
  try {
    await inRolledBackTransaction(connection, (session) =>
      tryClick(session, hostname(), randomUUIDv7(), Date.now()),
    );
  } catch (cause) {
    connection.client.end().catch(() => {});
    throw toFault(cause, connection.name);
  }
}

/**
 * Tries a start for `site check`: migrates the tables, writes a click and reads rows in one
 * transaction, which is then rolled back.
 *
 * @param sql a SELECT
 * @returns the rows of the SELECT
 * @throws (rejects with) a DatabaseFault
 */
export async function checkPostgres(urls: readonly string[], sql: string): Promise<Row[]> {
  const connection = await createConnect(urls)({ answerTimeoutMs: QUERY_TIMEOUT_MS });
  try {
    return await inRolledBackTransaction(connection, async (session) => {
      await migrate(session);
      await tryClick(session, hostname(), randomUUIDv7(), Date.now());
      return session.run(sql);
    });
  } catch (cause) {
    throw toFault(cause, connection.name);
  } finally {
    await connection.client.end();
  }
}

const TRY_ADVISORY_LOCK =
  'SELECT pg_try_advisory_lock(hashtext($1)) AS got, pg_backend_pid() AS pid';
/** The PostgreSQL process that holds the advisory locks of a connection. */
const lockHolderPids = new WeakMap<Client, number>();

/**
 * Takes a job's advisory lock for this server, which keeps it until the connection ends. It asks
 * PostgreSQL even if the server has the lock already, because PostgreSQL may have ended the
 * connection.
 *
 * @returns whether this server has the lock
 */
async function tryAdvisoryLock({ client, name }: Connection, job: string): Promise<boolean> {
  const { got, pid } = (await client.query(TRY_ADVISORY_LOCK, [job])).rows[0];
  if ((lockHolderPids.get(client) ?? pid) !== pid) throw makeSharedSessionsFault(name);
  lockHolderPids.set(client, pid);
  return got;
}

/** Keeps one connection open. It connects with the first query, and again after a failure. */
function keepConnection(open: () => Promise<Connection>) {
  type Opened = Connection & { inTurn: ReturnType<typeof createSerialQueue> };
  let current: Promise<Opened> | null = null;
  const get = (): Promise<Opened> => {
    if (current) return current;
    const opened = open().then((connection) => ({ ...connection, inTurn: createSerialQueue() }));
    current = opened;
    const forget = () => {
      if (current === opened) current = null;
    };
    opened.then(({ client }) => client.on('end', forget), forget);
    return opened;
  };
  const end = async (): Promise<void> => {
    const closing = current;
    current = null;
    await closing?.then(({ client }) => client.end()).catch(() => {});
  };
  /**
   * Closes a connection after an error, which also ends its transaction. If a query has timed out,
   * it is cancelled first. Otherwise it could hold locks for which the next query waits.
   */
  const closeFailed = ({ client }: Opened, fault: DatabaseFault) => {
    if (fault.code === LATE_CODE) cancelQuery(client);
    client.end().catch(() => {});
  };
  return {
    /**
     * Runs works on the connection one after the other, because pg warns if a query begins during
     * another one.
     *
     * @throws (rejects with) a DatabaseFault
     */
    async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
      const pending = get();
      const opened = await pending;
      try {
        return await opened.inTurn(() => work(opened));
      } catch (cause) {
        const fault = toFault(cause, opened.name);
        if (current === pending) current = null;
        closeFailed(opened, fault);
        throw fault;
      }
    },
    end,
  };
}
