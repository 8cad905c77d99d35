/** Finds a pooler that gives one connection's transactions to several sessions of PostgreSQL. */
import type { Client } from 'pg';

/**
 * Compares the process that PostgreSQL runs for a connection in several transactions. Locks,
 * prepared statements and settings belong to the process, so a connection needs one of its own.
 *
 * @param pid of the process in the connection's first transaction
 * @param openSecond opens a second connection to the same address
 */
export async function hasSharedSessions(
  client: Client,
  pid: number,
  openSecond: () => Promise<Client>,
): Promise<boolean> {
  // A pooler tells the client a number of its own.
  if ((client as unknown as { processID: number }).processID === pid) return false;
  const second = await openSecond();
  try {
    // A pooler in transaction mode gives the idle process of the first connection to the second.
    const pidOfSecond = await ask(second, 'BEGIN').then(() => pidOf(second));
    if (pidOfSecond === pid) return true;
    const pids = [await pidOf(client).catch(noProcess)];
    await ask(second, 'COMMIT');
    // Now the process of the second connection was used last. Poolers give that one, or another.
    pids.push(await pidOf(client).catch(noProcess), await pidOf(client).catch(noProcess));
    return pids.some((other) => other !== pid);
  } catch (cause) {
    // A pool in session mode may have no process left for the second connection.
    return /statement pooling/.test((cause as Error).message);
  } finally {
    second.end().catch(() => {});
  }
}

/** The first connection waits for a process, so it has none of its own. */
const noProcess = () => null;

/** The driver's time limit for an answer, in milliseconds, which its type of a query lacks. */
const TIME_LIMIT = { query_timeout: 2000 };

const ask = (client: Client, text: string) => client.query({ ...TIME_LIMIT, text });

const pidOf = async (client: Client): Promise<number> =>
  (await ask(client, 'SELECT pg_backend_pid() AS pid')).rows[0].pid;
