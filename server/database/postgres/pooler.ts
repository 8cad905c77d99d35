/**
 * Detects a connection pooler that runs one connection's transactions in several sessions of
 * PostgreSQL.
 */
import type { Client } from 'pg';

/**
 * Whether several processes of PostgreSQL serve one connection. Locks, prepared statements and
 * settings belong to a process, so the site needs one process for each connection.
 *
 * @param pid process of the connection's first transaction
 * @param openSecond opens a second connection to the same address
 */
export async function hasSharedSessions(
  client: Client,
  pid: number,
  openSecond: () => Promise<Client>,
): Promise<boolean> {
  // Without a pooler, the driver knows the real process id. A pooler gives a number of its own.
  if ((client as unknown as { processID: number }).processID === pid) return false;
  const second = await openSecond();
  try {
    // A pooler in transaction mode lends the first connection's idle process to the second one.
    const pidOfSecond = await queryWithTimeout(second, 'BEGIN').then(() => readPid(second));
    if (pidOfSecond === pid) return true;
    const pids = [await readPid(client).catch(toNull)];
    await queryWithTimeout(second, 'COMMIT');
    // The second connection's process is now the one used last. Some poolers give that one to the
    // first connection, others another one.
    pids.push(await readPid(client).catch(toNull), await readPid(client).catch(toNull));
    return pids.some((other) => other !== pid);
  } catch (cause) {
    // An error means no sharing, except for "statement pooling": a pool in session mode may have no
    // process left for the second connection.
    return /statement pooling/.test((cause as Error).message);
  } finally {
    second.end().catch(() => {});
  }
}

/** The first connection got no process in time, so it has none of its own. */
const toNull = () => null;

/** The driver's timeout for an answer, in milliseconds. The types of a query lack the option. */
const QUERY_TIMEOUT = { query_timeout: 2000 };

const queryWithTimeout = (client: Client, text: string) => client.query({ ...QUERY_TIMEOUT, text });

const readPid = async (client: Client): Promise<number> =>
  (await queryWithTimeout(client, 'SELECT pg_backend_pid() AS pid')).rows[0].pid;
