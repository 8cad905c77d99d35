/**
 * The one connection that groups of clicks go through. When it ends, the next group opens another, and finds the
 * database prepared: its tables made, the months ahead too.
 */
import type { Client } from 'pg';
import {
  connectPatiently,
  connectPipelined,
  describe,
} from '../../../database/connect-postgres.ts';
import { migratePostgres } from '../../../database/migrate-postgres.ts';
import { dropPartitions, makePartitions } from './partitions.ts';

/** After a failed attempt nobody asks the network again for so long. */
const PAUSE_MS = 250;

export interface Session {
  /** @throws (rejects with) an Error that says what to do */
  client(): Promise<Client>;
  /** Ends this connection, and with it what it has not committed. */
  drop(client: Client): void;
  close(): Promise<void>;
}

export function createSession(url: URL, prepare: () => Promise<void>): Session {
  let current: Promise<Client> | null = null;
  let live: Client | null = null;
  let failed: { cause: unknown; atMs: number } | null = null;

  const open = async () => {
    if (failed && Date.now() - failed.atMs < PAUSE_MS) throw failed.cause;
    try {
      await prepare();
      const client = await connectPipelined(url);
      client.once('end', () => drop(client));
      // The ledger is on a disk before a group is committed here, and brings back what a crash of the database takes.
      await client.query('SET synchronous_commit = off');
      failed = null;
      live = client;
      return client;
    } catch (cause) {
      failed = { cause, atMs: Date.now() };
      throw cause;
    }
  };
  const drop = (client: Client) => {
    client.end().catch(() => {});
    if (live !== client) return;
    live = null;
    current = null;
  };

  return {
    client() {
      current ??= open().catch((cause) => {
        current = null;
        throw cause;
      });
      return current;
    },
    drop,
    async close() {
      const client = await current?.catch(() => null);
      await client?.end();
    },
  };
}

export interface Upkeep {
  /** Whole months of ids that are kept beside the present one; 0: all. */
  keepMonths: number;
  /** Milliseconds since 1970; null: no month is dropped now. */
  trustedNow: () => Promise<number | null>;
  onDropped: (tables: string[]) => void;
}

/** Tables, the months ahead, and the end of those whose time is over. @throws an Error that says what to do */
export async function prepareDatabase(
  url: URL,
  { keepMonths, trustedNow, onDropped }: Upkeep,
): Promise<void> {
  const client = await connectPatiently(url);
  try {
    await migratePostgres(client);
    await makePartitions(client, new Date());
    if (keepMonths === 0) return;
    const now = await trustedNow().catch(() => null);
    if (now === null) return;
    const dropped = await dropPartitions(client, new Date(now), keepMonths);
    if (dropped.length > 0) onDropped(dropped);
  } catch (cause) {
    throw describe(cause, url);
  } finally {
    await client.end().catch(() => {});
  }
}
