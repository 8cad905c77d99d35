/** The click index in PostgreSQL. Several servers share it, each with its own ledger. */
import type { Client } from 'pg';
import { describe, openPool } from '../../../database/connect-postgres.ts';
import { isAway } from '../../../database/is-away.ts';
import type { LedgerPosition } from '../../ledger/ledger.ts';
import type { ClickIndex } from '../click-index.ts';
import { CommitInDoubt, countAndCommit, insertIds, readPosition } from './commit-group.ts';
import { createCountReader } from './read-counts.ts';
import { createSession, prepareDatabase, type Session } from './session.ts';

interface Options {
  url: URL;
  /** UUID of this server's ledger. */
  ledger: string;
  /** Number of whole months of ids to keep in addition to the present one; 0: all. */
  keepMonths: number;
  /** Milliseconds since 1970; null: no month is dropped now. */
  trustedNow?: () => Promise<number | null>;
  log: { info(message: string): void; warn(details: object, message: string): void };
}

const HOUR_MS = 60 * 60 * 1000;

/** Does not connect yet. The first query shows whether the database is reachable. */
export function openPostgresIndex({
  url,
  ledger,
  keepMonths,
  trustedNow = async () => Date.now(),
  log,
}: Options): ClickIndex {
  const prepare = () =>
    prepareDatabase(url, {
      keepMonths,
      trustedNow,
      onDropped: (tables) => log.info(`Dropped from the click index: ${tables.join(', ')}`),
    });
  const session = createSession(url, prepare);
  const pool = openPool(url, () => {});
  const upkeep = setInterval(() => {
    prepare().catch((err) => log.warn({ err }, 'The partitions could not be made or dropped'));
  }, HOUR_MS).unref();
  const explain = (cause: unknown): never => {
    throw describe(cause, url);
  };
  /** A commit in doubt keeps its class. */
  const explainRejected = (cause: unknown): never => {
    throw cause instanceof CommitInDoubt ? cause : describe(cause, url);
  };
  /** This ledger's position in the database when this process last read it. */
  let seen: LedgerPosition | null = null;

  return {
    async commitGroup(rows, persist) {
      const client = await session.client();
      try {
        const { position, fresh } = await insertIds(client, ledger, rows).catch(explain);
        if (!isSame(position, seen)) throw moved();
        const next = await persist(fresh);
        await countAndCommit(client, ledger, rows, fresh, next).catch(explainRejected);
        if (next.first !== '') seen = next;
        return fresh;
      } catch (cause) {
        await rollBack(session, client, cause);
        throw cause;
      }
    },
    async position() {
      seen = await readPosition(await session.client(), ledger).catch(explain);
      return seen;
    },
    counts: createCountReader(pool),
    async forgottenBefore() {
      const { rows } = await pool.query('SELECT before FROM clicks_forgotten');
      return rows[0]?.before ?? null;
    },
    async ping() {
      // From a table, because a database without its tables answers too.
      await pool.query('SELECT 1 FROM ledger_positions LIMIT 1').catch(explain);
    },
    mayHaveCommitted: (cause) => cause instanceof CommitInDoubt,
    isAway,
    // The administrator of the database repairs it.
    isDamaged: () => false,
    renew() {},
    async close() {
      clearInterval(upkeep);
      await Promise.all([session.close(), pool.end()]);
    },
  };
}

/** Closes the connection if the transaction cannot be rolled back. */
async function rollBack(session: Session, client: Client, cause: unknown): Promise<void> {
  if (!(cause instanceof CommitInDoubt)) {
    if (await client.query('ROLLBACK').catch(() => null)) return;
  }
  session.drop(client);
}

const isSame = (a: LedgerPosition | null, b: LedgerPosition | null) =>
  a?.file === b?.file && a?.offset === b?.offset && a?.first === b?.first;

/**
 * The database was emptied, restored, or lost its last commits; or a second server uses a copy of this DATA_DIR.
 * The recorder then reads the ledger again from the database's position.
 */
function moved(): Error {
  return Object.assign(
    new Error(
      'The click index is no longer at this ledger’s last position; the server brings it up to the ledger again. ' +
        'If this repeats, another server uses a copy of this DATA_DIR: delete clicks.id in one of them.',
    ),
    { code: 'index_moved' },
  );
}
