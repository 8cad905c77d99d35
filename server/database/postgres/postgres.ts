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
const QUERY_MS = 4 * SECOND_MS;
const VACUUM_MS = MINUTE_MS;

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
  const connection = (limits: { pipeline?: boolean }, prove?: typeof proveWrites) =>
    keepConnection(async () => {
      await makeTablesOnce();
      const made = await connect({ answerTimeoutMs: QUERY_MS, ...limits });
      await prove?.(made);
      return made;
    });
  const writer = connection({ pipeline: true }, proveWrites);
  const [reader, jobs] = [connection({}), connection({})];
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
        writer.use((made) => inTransaction(made, (session) => work(session, ...args))),
      );
    },
    read: (sql, values = []) =>
      reader.use(async ({ client }) => (await client.query(sql, values)).rows as Row[]),
    tryLock: (job) => jobs.use((made) => tryAdvisoryLock(made, job)),
    async overwriteDeleted(tables) {
      // A failure is ignored, because PostgreSQL's autovacuum does the same later.
      const made = await connect({ answerTimeoutMs: VACUUM_MS }).catch(() => null);
      await made?.client.query(`VACUUM ${tables.join(', ')}`).catch(() => {});
      await made?.client.end();
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
  const made = await connect({});
  try {
    await inTransaction(made, migrate);
  } catch (cause) {
    throw toFault(cause, made.name);
  } finally {
    made.client.end().catch(() => {});
  }
}

/**
 * Tries to write a click on a new connection, and closes the connection if that fails.
 *
 * @throws (rejects with) a DatabaseFault
 */
async function proveWrites(made: Connection): Promise<void> {
  try {
    await inRolledBackTransaction(made, (session) =>
      tryClick(session, hostname(), randomUUIDv7(), Date.now()),
    );
  } catch (cause) {
    made.client.end().catch(() => {});
    throw toFault(cause, made.name);
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
  const made = await createConnect(urls)({ answerTimeoutMs: QUERY_MS });
  try {
    return await inRolledBackTransaction(made, async (session) => {
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
/** The PostgreSQL process that holds the advisory locks of a connection. */
const processOfLocks = new WeakMap<Client, number>();

/**
 * Takes a job's advisory lock for this server, which keeps it until the connection ends. It asks
 * PostgreSQL even if the server has the lock already, because PostgreSQL may have ended the
 * connection.
 *
 * @returns whether this server has the lock
 */
async function tryAdvisoryLock({ client, name }: Connection, job: string): Promise<boolean> {
  const { got, pid } = (await client.query(TRY_LOCK, [job])).rows[0];
  if ((processOfLocks.get(client) ?? pid) !== pid) throw makeSharedSessionsFault(name);
  processOfLocks.set(client, pid);
  return got;
}

/** Keeps one connection open. It connects with the first query, and again after a failure. */
function keepConnection(open: () => Promise<Connection>) {
  type Opened = Connection & { inTurn: ReturnType<typeof createSerialQueue> };
  let current: Promise<Opened> | null = null;
  const get = (): Promise<Opened> => {
    if (current) return current;
    const opened = open().then((made) => ({ ...made, inTurn: createSerialQueue() }));
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
    async use<T>(work: (made: Connection) => Promise<T>): Promise<T> {
      const asked = get();
      const opened = await asked;
      try {
        return await opened.inTurn(() => work(opened));
      } catch (cause) {
        const fault = toFault(cause, opened.name);
        if (current === asked) current = null;
        closeFailed(opened, fault);
        throw fault;
      }
    },
    end,
  };
}
