/** The database in PostgreSQL, for several servers. */
import { Client, type ClientConfig, type QueryConfig, types } from 'pg';
import { type Database, DatabaseFault, makeQueue, type Row, type Session } from './database.ts';
import { migrate } from './migrate.ts';
import { nameOf as nameOfUrl } from './name-of.ts';

/** Below the 5 s after which browsers give up. */
const CONNECT_MS = 2000;
const QUERY_MS = 4000;
const VACUUM_MS = 60_000;
/** PostgreSQL ends the connection, and its locks, about a minute after a server's machine has vanished. */
const KEEP_ALIVE =
  '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';
/** How long the open transaction of a vanished server can block others. */
const IDLE_TRANSACTION_MS = 10_000;

// Times and counts are below 2^53. Otherwise they would be text.
for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) types.setTypeParser(type, Number);

/** For errors that no time will mend, by their code. */
const ADVICE: Record<string, string> = {
  '28P01': 'it rejects the password. Check DATABASE_URL.',
  '28000': 'it rejects this user. Check DATABASE_URL, and pg_hba.conf on its side.',
  '3D000': 'there is no such database. Create it, or correct DATABASE_URL.',
  '42501':
    'this user lacks a right. It must own the schema `site`, or have the right to create it.',
};

/** For those that end without an operator, but that a check names too. */
const ADVICE_WHILE_AWAY: Record<string, string> = {
  ENOTFOUND: 'there is no such host. Check DATABASE_URL.',
  ECONNREFUSED: 'it refuses connections. Start it, or correct DATABASE_URL.',
  ETIMEDOUT: 'it does not answer. Start it, or correct DATABASE_URL.',
};

/** Connects as a start does, and changes nothing. @throws (rejects with) a DatabaseFault that says what to do */
export async function checkPostgres(urls: readonly string[]): Promise<void> {
  try {
    await (await connect(urls, {})).end();
  } catch (cause) {
    const { code, message } = toFault(cause);
    const advice = ADVICE[code] ?? ADVICE_WHILE_AWAY[code] ?? message;
    throw new DatabaseFault(`PostgreSQL (${nameOfUrls(urls)}): ${advice}`, code);
  }
}

/**
 * Makes the tables and connects, or does so with the first query, because a server also starts without PostgreSQL. Connects again
 * with the next query after a failure.
 *
 * @param urls of the primary and its standbys. The one that takes writes is used
 * @throws (rejects with) a DatabaseFault if only an operator can help: the database is newer than this server, or refuses it
 */
export async function openPostgres(urls: readonly string[]): Promise<Database> {
  const prepared = prepareOnce(urls);
  await prepared().catch((cause) => {
    if (cause instanceof DatabaseFault) throw cause;
    const advice = ADVICE[cause.code];
    if (advice) throw new DatabaseFault(`PostgreSQL (${nameOfUrls(urls)}): ${advice}`, cause.code);
  });
  const connection = (config: ClientConfig) =>
    makeConnection(async () => {
      await prepared();
      return connect(urls, { query_timeout: QUERY_MS, ...config });
    });
  // Pipelined: it sends the statements of a transaction without waiting for the answers before them.
  const [writer, reader, jobs] = [
    connection({ pipeline: true }),
    connection({}),
    connection({}),
  ] as const;
  const inTurn = makeQueue();

  return {
    kind: 'postgres',
    transaction: (work, ...args) =>
      inTurn(async () => {
        try {
          return await inTransaction(await writer.get(), (session) => work.run(session, ...args));
        } catch (cause) {
          // Without its connection, the transaction ends too.
          writer.drop();
          throw toFault(cause);
        }
      }),
    async read(sql, values = []) {
      try {
        return (await (await reader.get()).query(sql, values)).rows as Row[];
      } catch (cause) {
        // A connection that has not answered in time would make the next query wait too.
        reader.drop();
        throw toFault(cause);
      }
    },
    async holds(job) {
      try {
        const client = await jobs.get();
        // Also if it holds the lock: the connection may have lost its server. The lock ends with the connection.
        const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtext($1)) AS got', [
          job,
        ]);
        return rows[0].got;
      } catch (cause) {
        jobs.drop();
        throw toFault(cause);
      }
    },
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

/** Makes the tables once, on a connection without a limit of time, because a migration may take long. */
function prepareOnce(urls: readonly string[]): () => Promise<void> {
  let preparing: Promise<void> | null = null;
  const prepare = async () => {
    const client = await connect(urls, {});
    await inTransaction(client, migrate).finally(() => client.end().catch(() => {}));
  };
  return () => {
    preparing ??= prepare().catch((cause) => {
      preparing = null;
      throw cause;
    });
    return preparing;
  };
}

/** @throws (rejects with) the error of the last URL, or an Error if each of them is a standby */
export async function connect(urls: readonly string[], config: ClientConfig): Promise<Client> {
  let fault: unknown = new Error('Every PostgreSQL of DATABASE_URL is a standby');
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
      fault = cause;
    }
    client.end().catch(() => {});
  }
  throw fault;
}

/** One connection, made when it is needed. */
function makeConnection(open: () => Promise<Client>) {
  let current: Promise<Client> | null = null;
  const forget = (which: Promise<Client>) => {
    if (current === which) current = null;
  };
  return {
    get(): Promise<Client> {
      if (current) return current;
      const opened = open();
      current = opened;
      opened.then(
        (client) => client.on('end', () => forget(opened)),
        () => forget(opened),
      );
      return opened;
    },
    drop(): void {
      current?.then((client) => client.end()).catch(() => {});
      current = null;
    },
    async end(): Promise<void> {
      await current?.then((client) => client.end()).catch(() => {});
      current = null;
    },
  };
}

function sessionOf(client: Client): Session {
  const query = (text: string, values: unknown[]) =>
    client.query({ name: nameOf(text), text, values } satisfies QueryConfig);
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

/** Without passwords. */
const nameOfUrls = (urls: readonly string[]): string =>
  urls.map((url) => nameOfUrl(new URL(url))).join(', ');

/** Names for prepared statements, which PostgreSQL then parses once per connection. */
const names = new Map<string, string>();
function nameOf(sql: string): string {
  const name = names.get(sql) ?? `s${names.size}`;
  names.set(sql, name);
  return name;
}

function toFault(cause: unknown): DatabaseFault {
  const { message, code } = cause as Error & { code?: string };
  // pg reports its own limits of time without a code.
  const own =
    code ?? (/timeout|terminated|connection error/i.test(message) ? 'ETIMEDOUT' : 'unknown');
  return new DatabaseFault(`PostgreSQL: ${message || own}`, own);
}
