/** Transactions on one connection to PostgreSQL. */
import type { Client, QueryConfig } from 'pg';
import { DatabaseFault, type Row, type Session } from '../database.ts';
import { describe, isReadTimeout, LATE } from './faults.ts';

/** A connection to the server that takes writes. */
export interface Connection {
  client: Client;
  /** Of the server, for messages. */
  name: string;
}

/**
 * @throws (rejects with) the error of the work or of PostgreSQL, or a DatabaseFault if the commit
 * is in doubt
 */
export async function inTransaction<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { client } = connection;
  // Not awaited, so that the first statements travel with it.
  const begun = client.query('BEGIN');
  begun.catch(() => {});
  const result = await work(sessionOf(client));
  await begun;
  await commit(connection);
  return result;
}

/** Runs a work in a transaction, and undoes what the work has written. */
export async function undone<T>(
  { client }: Connection,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  await client.query('BEGIN');
  // After a failed ROLLBACK there is no connection, and so no transaction.
  return work(sessionOf(client)).finally(() => client.query('ROLLBACK').catch(() => {}));
}

/**
 * A commit whose wait for the standby is ended by someone counts as failed, although PostgreSQL
 * confirms it: only a notice says that the standby does not have it.
 */
async function commit({ client, name }: Connection): Promise<void> {
  let isWaitEnded = false;
  // The routine has the same name in each language of the messages.
  const read = ({ routine }: { routine?: string | undefined }) => {
    isWaitEnded ||= routine === 'SyncRepWaitForLSN';
  };
  client.on('notice', read);
  const answer = await client
    .query('COMMIT')
    .catch((cause) => {
      throw isReadTimeout(cause) ? notConfirmed(name) : cause;
    })
    .finally(() => client.off('notice', read));
  if (isWaitEnded)
    throw new DatabaseFault(
      describe(name, 'a commit was cancelled while it waited for the standby.'),
      'cancelled',
    );
  // PostgreSQL answers so if a statement of the transaction has failed.
  if (answer.command !== 'COMMIT')
    throw new DatabaseFault(describe(name, 'a transaction was undone.'), '25P02');
}

function notConfirmed(name: string): DatabaseFault {
  const text = 'a commit is not confirmed in time, by its disk or by its synchronous standby.';
  return new DatabaseFault(describe(name, text), LATE);
}

/**
 * Writes a record that the commit has to wait for. A commit that has written nothing waits for
 * no standby, and would confirm rows of another commit that still waits.
 */
const MAKE_COMMIT_WAIT = "SELECT pg_logical_emit_message(true, 'site', '')";

export function sessionOf(client: Client): Session {
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
      if (inserted.rows.length === 0) await client.query(MAKE_COMMIT_WAIT);
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
