/** Connections to PostgreSQL: their time limits, and advice for operators about errors. */
import { Client, type ClientConfig, Pool } from 'pg';
import { codeOf, TABLES_ADVICE, TABLES_GONE } from './is-away.ts';
import { nameOf } from './name-of.ts';

/** Time limits below 5 s, because browsers give up after 5 s. */
const PATIENCE = {
  connectionTimeoutMillis: 2000,
  lock_timeout: 2000,
  statement_timeout: 3000,
  /** For a server that does not answer. */
  query_timeout: 4000,
  /** How long the open transaction of a vanished server can block its successor. */
  idle_in_transaction_session_timeout: 10_000,
} satisfies ClientConfig;

/** Connections for statistics and registrations, which need few short queries. */
const POOL_SIZE = 4;

export function openPool(url: URL, onError: (cause: Error) => void): Pool {
  const pool = new Pool({ ...optionsFor(url), ...PATIENCE, max: POOL_SIZE });
  // An idle connection has ended. The next query opens another.
  pool.on('error', onError);
  return pool;
}

/** @throws (rejects with) an Error that says what to do */
export async function connect(url: URL, options: ClientConfig = PATIENCE): Promise<Client> {
  const client = new Client({ ...optionsFor(url), ...options });
  // The next query on the connection reports the error.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (cause) {
    client.end().catch(() => {});
    throw describe(cause, url);
  }
}

/** A connection without limits for queries, for migrations and new partitions. */
export function connectPatiently(url: URL): Promise<Client> {
  return connect(url, { connectionTimeoutMillis: PATIENCE.connectionTimeoutMillis });
}

function optionsFor(url: URL): ClientConfig {
  return { connectionString: url.href, application_name: 'sma-data-drive', keepAlive: true };
}

/** Advice for operators, by error code. */
const ADVICE: Record<string, string> = {
  '28P01': 'it rejects the password. Check DATABASE_URL.',
  '28000': 'it rejects this user. Check DATABASE_URL, and pg_hba.conf on its side.',
  '3D000': 'there is no such database. Create it, or correct DATABASE_URL.',
  '42501':
    'this user lacks a right. It must own the tables, or have the right to create them in its schema.',
  [TABLES_GONE]: TABLES_ADVICE,
  ENOTFOUND: 'there is no such host. Check DATABASE_URL.',
  ECONNREFUSED: 'it refuses connections. Start it, or correct DATABASE_URL.',
  ETIMEDOUT: 'it does not answer. Start it, or correct DATABASE_URL.',
};

/** @returns an Error with the database's name, without its password, and the cause's code */
export function describe(cause: unknown, url: URL): Error {
  const code = codeOf(cause);
  const message = cause instanceof Error ? cause.message || code : String(cause);
  const advice = ADVICE[code] ?? `${message.replace(/\.$/, '')}.`;
  // Without the cause, because the log joins its message, which says the same again.
  const error = new Error(`PostgreSQL (${nameOf(url)}): ${advice}`);
  return Object.assign(error, { code: code || 'unknown' });
}
