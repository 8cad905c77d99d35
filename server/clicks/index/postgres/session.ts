/**
 * The one connection for groups of clicks. After it ends, the next group opens another. Before that, the session makes
 * missing tables and partitions.
 */
import type { Client } from 'pg';
import {
  connectPatiently,
  connectPipelined,
  describe,
} from '../../../database/connect-postgres.ts';
import { migratePostgres } from '../../../database/migrate-postgres.ts';
import { dropPartitions, makePartitions } from './partitions.ts';

/** Pause after a failed attempt to connect. */
const PAUSE_MS = 250;

export interface Session {
  /** @throws (rejects with) an Error that says what to do */
  client(): Promise<Client>;
  /** Ends this connection, which rolls back its open transaction. */
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
      // The ledger is on the disk before the commit, so it can restore groups that a crash of the database loses.
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
  /** Number of whole months of ids to keep in addition to the present one; 0: all. */
  keepMonths: number;
  /** Milliseconds since 1970; null: no month is dropped now. */
  trustedNow: () => Promise<number | null>;
  onDropped: (tables: string[]) => void;
}

/** Makes tables and partitions, and drops partitions after their retention. @throws an Error that says what to do */
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
