/** Runs transactions on one connection to PostgreSQL. */
import type { Client, QueryConfig } from 'pg';
import { DatabaseFault, type Row, type Session } from '../database.ts';
import { describeFault, isReadTimeout, LATE_CODE } from './faults.ts';

/** A connection to the server that takes writes. */
export interface Connection {
  client: Client;
  /** Name of the PostgreSQL server, for messages. */
  name: string;
}

/**
 * Runs a work in a transaction, and commits it.
 *
 * @throws (rejects with) the error of the work or of PostgreSQL; a DatabaseFault if it is not known
 * whether the transaction was committed
 */
export async function inTransaction<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { client } = connection;
  // Not awaited, so that BEGIN and the first statements share a round trip.
  const begun = client.query('BEGIN');
  begun.catch(() => {});
  const result = await work(sessionOf(client));
  await begun;
  await commit(connection);
  return result;
}

/** Runs a work in a transaction, and rolls it back. */
export async function inRolledBackTransaction<T>(
  { client }: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  await client.query('BEGIN');
  // If ROLLBACK fails, the connection is broken, and PostgreSQL rolls back by itself.
  return work(sessionOf(client)).finally(() => client.query('ROLLBACK').catch(() => {}));
}

/**
 * Commits. A commit counts as failed if somebody has cancelled its wait for the standby: PostgreSQL
 * then confirms it all the same, and only a notice says that the standby lacks it.
 */
async function commit({ client, name }: Connection): Promise<void> {
  let isWaitEnded = false;
  // Compares the routine's name, because the message is translated to the server's language.
  const checkNotice = ({ routine }: { routine?: string | undefined }) => {
    isWaitEnded ||= routine === 'SyncRepWaitForLSN';
  };
  client.on('notice', checkNotice);
  const answer = await client
    .query('COMMIT')
    .catch((cause) => {
      throw isReadTimeout(cause) ? makeUnconfirmedFault(name) : cause;
    })
    .finally(() => client.off('notice', checkNotice));
  if (isWaitEnded)
    throw new DatabaseFault(
      describeFault(name, 'a commit was cancelled while it waited for the standby.'),
      'cancelled',
    );
  // After a failed statement, PostgreSQL answers COMMIT with ROLLBACK.
  if (answer.command !== 'COMMIT')
    throw new DatabaseFault(describeFault(name, 'a transaction was undone.'), '25P02');
}

function makeUnconfirmedFault(name: string): DatabaseFault {
  const text = 'a commit is not confirmed in time, by its disk or by its synchronous standby.';
  return new DatabaseFault(describeFault(name, text), LATE_CODE);
}

/**
 * Writes a record to the write-ahead log, so that the commit waits for the standby. A commit that
 * has written nothing does not wait. So it could confirm a duplicate whose first commit is not yet
 * on the standby.
 */
const WRITE_WAL_RECORD = "SELECT pg_logical_emit_message(true, 'site', '')";

/** Makes the session of a transaction that has begun on the connection. */
export function sessionOf(client: Client): Session {
  const query = (text: string, values: unknown[]) =>
    client.query({ name: statementName(text), text, values } satisfies QueryConfig);
  return {
    kind: 'postgres',
    // Not prepared if there are no values, because PostgreSQL cannot prepare several statements at
    // once, as migrations have them.
    run: async (sql, values = []) =>
      (await (values.length > 0 ? query(sql, values) : client.query(sql))).rows as Row[],
    async runEach(sql, lists) {
      await Promise.all(lists.map((values) => query(sql, values)));
    },
    async insertNew(table, key, rows) {
      const [first] = rows;
      if (!first) return [];
      // One statement for all rows takes half the time of one statement for each row.
      const columns = Object.keys(first).join(', ');
      const sql = `
        INSERT INTO ${table} (${columns})
        SELECT ${columns}
        FROM json_populate_recordset(NULL::${table}, $1)
        ON CONFLICT DO NOTHING
        RETURNING ${key} AS key`;
      const inserted = await query(sql, [JSON.stringify(rows)]);
      if (inserted.rows.length === 0) await client.query(WRITE_WAL_RECORD);
      const keys = new Set(inserted.rows.map((row) => row.key));
      return rows.flatMap((row, i) => (keys.delete(row[key]) ? [i] : []));
    },
  };
}

/**
 * Names of the prepared statements, by their SQL. PostgreSQL parses a named statement only once per
 * connection.
 */
const names = new Map<string, string>();
function statementName(sql: string): string {
  const name = names.get(sql) ?? `s${names.size}`;
  names.set(sql, name);
  return name;
}
