/** Opens SQLite's file, and translates the site's SQL texts and values to SQLite's. */
import { existsSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { SECOND_MS } from '../../time.ts';
import { DatabaseFault, type Row, type Session, type Value } from '../database.ts';

/** How long a statement waits for another process's lock, such as a backup's. Milliseconds. */
const LOCK_WAIT_MS = 2 * SECOND_MS;

/** Opens a connection. Prepared statements are kept by their SQL. */
export function connectSqlite(path: string, { readOnly = false } = {}) {
  const db = new DatabaseSync(path, { timeout: LOCK_WAIT_MS, readOnly });
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? db.prepare(numberPlaceholders(sql));
    statements.set(sql, statement);
    return statement;
  };
  return {
    db,
    prepare,
    all: (sql: string, values: Value[]) => prepare(sql).all(...values.map(toSqlite)) as Row[],
  };
}

/**
 * Checks the whole file for damage, then runs a SELECT (`site check`). A server may use the file
 * meanwhile.
 *
 * @returns the rows of the SELECT; none if the file has no tables yet
 * @throws SQLite's error, or an Error that says what is damaged
 */
export function checkSqlite(path: string, sql: string): Row[] {
  // If no server uses the file, it is opened as immutable. Otherwise SQLite would create -wal and
  // -shm files, perhaps with another owner than the server.
  const isInUse = existsSync(`${path}-wal`);
  const file = isInUse ? path : new URL(`${pathToFileURL(path)}?immutable=1`);
  using db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MS });
  let checkResult: unknown;
  try {
    checkResult = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  } catch (cause) {
    checkResult = (cause as Error).message;
  }
  if (checkResult !== 'ok') throw new Error(describeDamage(path, checkResult));
  const hasTables = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get();
  return hasTables ? db.prepare(sql).all() : [];
}

const describeDamage = (file: string, found: unknown) =>
  `${file} is damaged (${found}). Restore a backup.`;

/** Makes the session of a transaction that has begun on the connection. */
export function sessionOf({ prepare, all }: ReturnType<typeof connectSqlite>): Session {
  return {
    kind: 'sqlite',
    run: async (sql, values = []) => all(sql, values),
    async runEach(sql, lists) {
      const statement = prepare(sql);
      for (const values of lists) statement.run(...values.map(toSqlite));
    },
    async insertNew(table, _key, rows) {
      const [first] = rows;
      if (!first) return [];
      const columns = Object.keys(first);
      const places = columns.map(() => '?').join(', ');
      const statement = prepare(`
        INSERT INTO ${table} (${columns})
        VALUES (${places})
        ON CONFLICT DO NOTHING`);
      return rows.flatMap((row, i) =>
        statement.run(...Object.values(row).map(toSqlite)).changes === 1 ? [i] : [],
      );
    },
  };
}

/** Replaces `$1` by `?1`. node:sqlite binds a list of values only to `?1`. */
const numberPlaceholders = (sql: string): string => sql.replaceAll(/\$(\d+)/g, '?$1');

/** Converts booleans to 0 and 1, because SQLite has no booleans. */
const toSqlite = (value: Value) => (typeof value === 'boolean' ? Number(value) : value);

/** Converts an error of node:sqlite to a DatabaseFault. */
export function toFault(cause: unknown): DatabaseFault {
  if (cause instanceof DatabaseFault) return cause;
  const { message, code, errcode } = cause as Error & { code?: string; errcode?: number };
  // The lower eight bits of an extended result code are SQLite's primary code.
  const own = errcode === undefined ? (code ?? 'unknown') : `sqlite-${errcode & 0xff}`;
  const isDamaged = own === 'sqlite-11' || own === 'sqlite-26';
  return new DatabaseFault(isDamaged ? describeDamage('site.db', message) : message, own);
}
