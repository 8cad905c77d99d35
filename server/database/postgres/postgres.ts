/** The database in PostgreSQL, for several servers. */
import { Client, type ClientConfig, type QueryConfig, types } from 'pg';
import { MINUTE_MS, SECOND_MS } from '../../time.ts';
import {
  type Database,
  DatabaseFault,
  makeQueue,
  nameOf,
  type Row,
  type Session,
} from '../database.ts';
import { migrate } from '../migrate.ts';
import { nameOfWork } from '../name-of-work.ts';

/** Below the 5 s after which browsers give up. */
const CONNECT_MS = 2 * SECOND_MS;
const QUERY_MS = 4 * SECOND_MS;
const VACUUM_MS = MINUTE_MS;
/** PostgreSQL ends the connection, and its locks, about a minute after a server's machine has vanished. */
const KEEP_ALIVE =
  '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';
/** How long the open transaction of a vanished server can block others. */
const IDLE_TRANSACTION_MS = 10 * SECOND_MS;

// Times and counts are below 2^53. Otherwise they would be text.
for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) types.setTypeParser(type, Number);

/** Errors that no time will mend: of the password, the user, the database and its rights. */
const LASTING = ['28P01', '28000', '3D000', '42501'];

/**
 * Makes the tables and connects, or does so with the first query, because a server also starts without PostgreSQL. Connects again
 * with the next query after a failure.
 *
 * @param urls of the primary and its standbys. The one that takes writes is used
 * @throws (rejects with) a DatabaseFault if only an operator can help: the database is newer than this server, or refuses it
 */
export async function openPostgres(urls: readonly string[]): Promise<Database> {
  let isPrepared = false;
  const prepareOnce = async () => {
    if (!isPrepared) await prepare(urls);
    isPrepared = true;
  };
  await prepareOnce().catch((cause) => {
    if (cause instanceof DatabaseFault || LASTING.includes(cause.code)) throw toFault(cause, urls);
  });
  const connection = (config: ClientConfig) =>
    makeConnection(urls, async () => {
      await prepareOnce();
      return connect(urls, { query_timeout: QUERY_MS, ...config });
    });
  // Pipelined: it sends the statements of a transaction without waiting for the answers before them.
  const writer = connection({ pipeline: true });
  const [reader, jobs] = [connection({}), connection({})];
  const inTurn = makeQueue();

  return {
    kind: 'postgres',
    async transaction(work, ...args) {
      nameOfWork(work);
      return inTurn(() =>
        writer.use((client) => inTransaction(client, (session) => work(session, ...args))),
      );
    },
    read: (sql, values = []) =>
      reader.use(async (client) => (await client.query(sql, values)).rows as Row[]),
    // Asks also if it holds the lock: the connection may have lost its server. The lock ends with the connection.
    holds: (job) => jobs.use(async (client) => (await client.query(LOCK, [job])).rows[0].got),
    async overwriteDeleted(tables) {
      // If it fails, PostgreSQL's own autovacuum does the same later.
      const client = await connect(urls, { query_timeout: VACUUM_MS }).catch(() => null);
      await client?.query(`VACUUM ${tables.join(', ')}`).catch(() => {});
      await client?.end();
    },
    close: () =>
      inTurn(async () => {
        for (const one of [writer, reader, jobs]) await one.end();
      }),
  };
}

async function inTransaction<T>(client: Client, work: (session: Session) => Promise<T>) {
  // Not awaited, so that the first statements travel with it.
  const begun = client.query('BEGIN');
  begun.catch(() => {});
  const result = await work(sessionOf(client));
  await begun;
  // Never cancel it: PostgreSQL then ends its wait for the standby with a success.
  await client.query('COMMIT');
  return result;
}

/** Makes the tables, on a connection without a limit of time, because a migration may take long. */
async function prepare(urls: readonly string[]): Promise<void> {
  const client = await connect(urls, {});
  await inTransaction(client, migrate).finally(() => client.end().catch(() => {}));
}

/** @throws (rejects with) a DatabaseFault if only an operator can help, else the error of the last URL, or an Error if each is a standby */
export async function connect(urls: readonly string[], config: ClientConfig): Promise<Client> {
  let fault: NodeJS.ErrnoException = new Error('Every PostgreSQL of DATABASE_URL is a standby');
  for (const connectionString of urls) {
    const client = new Client({
      connectionString,
      application_name: 'sma-data-drive',
      options: `-c search_path=site ${KEEP_ALIVE}`,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      connectionTimeoutMillis: CONNECT_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
      ...config,
    });
    // The next query on the connection reports the error.
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query('SELECT pg_is_in_recovery() AS is_standby');
      if (!rows[0].is_standby) return client;
    } catch (cause) {
      fault = cause as NodeJS.ErrnoException;
    }
    client.end().catch(() => {});
  }
  throw LASTING.includes(fault.code ?? '') ? toFault(fault, urls) : fault;
}

/** Reads rows with the rights of a start, and changes nothing. @throws (rejects with) the errors of `connect`, or a DatabaseFault */
export async function checkPostgres(urls: readonly string[], sql: string): Promise<Row[]> {
  const client = await connect(urls, {});
  try {
    const { rows } = await client.query("SELECT to_regclass('site.migrations') AS there");
    return (await client.query(rows[0].there ? sql : TRY_TO_MAKE)).rows ?? [];
  } catch (cause) {
    throw toFault(cause, urls);
  } finally {
    await client.end();
  }
}

const TRY_TO_MAKE = 'BEGIN; CREATE SCHEMA IF NOT EXISTS site; ROLLBACK';

const LOCK = 'SELECT pg_try_advisory_lock(hashtext($1)) AS got';

/** One connection, made when it is needed. */
function makeConnection(urls: readonly string[], open: () => Promise<Client>) {
  type Opened = { client: Client; inTurn: ReturnType<typeof makeQueue> };
  let current: Promise<Opened> | null = null;
  const get = (): Promise<Opened> => {
    if (current) return current;
    const opened = open().then((client) => ({ client, inTurn: makeQueue() }));
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
  return {
    /**
     * Runs one work after the other, because pg warns of a query during another one.
     *
     * @throws (rejects with) a DatabaseFault
     */
    async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
      try {
        const { client, inTurn } = await get();
        return await inTurn(() => work(client));
      } catch (cause) {
        // Without its connection, a transaction ends too. One that has not answered in time would make the next query wait.
        end();
        throw toFault(cause, urls);
      }
    },
    end,
  };
}

function sessionOf(client: Client): Session {
  const query = (text: string, values: unknown[]) =>
    client.query({ name: statementName(text), text, values } satisfies QueryConfig);
  return {
    kind: 'postgres',
    // Without a name, PostgreSQL takes statements that make or change tables.
    run: async (sql, values = []) =>
      (await (values.length > 0 ? query(sql, values) : client.query(sql))).rows as Row[],
    async runEach(sql, lists) {
      await Promise.all(lists.map((values) => query(sql, values)));
    },
    async insertNew(table, key, rows) {
      const [first] = rows;
      if (!first) return [];
      // One statement for all rows costs half the time of one for each.
      const columns = Object.keys(first).join(', ');
      const sql = `INSERT INTO ${table} (${columns})
        SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)
        ON CONFLICT DO NOTHING RETURNING ${key} AS key`;
      const inserted = await query(sql, [JSON.stringify(rows)]);
      const keys = new Set(inserted.rows.map((row) => row.key));
      return rows.flatMap((row, i) => (keys.delete(row[key]) ? [i] : []));
    },
  };
}

/** Names for prepared statements, which PostgreSQL then parses once per connection. */
const names = new Map<string, string>();
function statementName(sql: string): string {
  const name = names.get(sql) ?? `s${names.size}`;
  names.set(sql, name);
  return name;
}

function toFault(cause: unknown, urls: readonly string[]): DatabaseFault {
  if (cause instanceof DatabaseFault) return cause;
  const { message, code } = cause as Error & { code?: string };
  if (code && LASTING.includes(code)) {
    const names = urls.map((url) => nameOf(new URL(url))).join(', ');
    const text = `PostgreSQL (${names}): ${message}. Check DATABASE_URL and the user's rights.`;
    return new DatabaseFault(text, code);
  }
  // pg reports its own limits of time without a code.
  const own =
    code ?? (/timeout|terminated|connection error/i.test(message) ? 'ETIMEDOUT' : 'unknown');
  return new DatabaseFault(`PostgreSQL: ${message || own}`, own);
}
