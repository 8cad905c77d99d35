/**
 * The database as the rest of the server sees it. SQLite and PostgreSQL run the same SQL texts,
 * with `$1`, `$2` … for values. Migrations are in PostgreSQL’s words (migrate.ts).
 */
export type Value = string | number | boolean | null;
export type Row = Record<string, unknown>;

/**
 * Statements of one transaction. Each method rejects with the database's error; the transaction is
 * then undone.
 */
export interface Session {
  readonly kind: 'sqlite' | 'postgres';
  /** @returns the rows of the result; none for a statement without a result */
  run(sql: string, values?: Value[]): Promise<Row[]>;
  /** Runs a statement once for each list of values. */
  runEach(sql: string, lists: Value[][]): Promise<void>;
  /**
   * Inserts the rows whose primary key, the column `key`, is not in the table. Of two with the same
   * key, only the first one is inserted. Each has the same columns. Returns the places in `rows` of
   * the inserted ones.
   */
  insertNew(table: string, key: string, rows: Record<string, Value>[]): Promise<number[]>;
}

/**
 * A function that runs in one transaction. server/works.ts lists all of them. SQLite calls it in a
 * thread, because a commit waits for the disk, and pages must not wait with it. So its arguments
 * and its result are plain data, and it gets the time as an argument.
 */
export type Work<Args extends unknown[], Result> = (
  session: Session,
  ...args: Args
) => Promise<Result>;

/** Runs one statement. */
export const runStatement = ({ run }: Session, sql: string, values: Value[]): Promise<Row[]> =>
  run(sql, values);

/** Runs one statement in a transaction of its own. @throws (rejects with) as `transaction` does */
export const write = (
  db: Pick<Database, 'transaction'>,
  sql: string,
  values: Value[],
): Promise<Row[]> => db.transaction(runStatement, sql, values);

export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /**
   * Calls a work in a transaction, after those before it. It resolves when the transaction is on
   * the disk (PostgreSQL: also on its synchronous standby).
   *
   * @throws (rejects with) a DatabaseFault. The transaction may still have been committed, if the
   * connection ended during the commit: repeat it with statements that may be repeated. Or an Error
   * if server/works.ts lacks the work
   */
  transaction<Args extends unknown[], Result>(
    work: Work<Args, Result>,
    ...args: Args
  ): Promise<Result>;
  /** Reads what is committed. @throws (rejects with) a DatabaseFault */
  read(sql: string, values?: Value[]): Promise<Row[]>;
  /**
   * Makes this server the only one that does a job, until it closes or loses its connection.
   *
   * @returns whether it is
   */
  holds(job: string): Promise<boolean>;
  /** Overwrites the remains of deleted rows in the database's files. @param tables of these rows */
  overwriteDeleted(tables: string[]): Promise<void>;
  /** Waits for the transactions before it. */
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL where URLs are given, otherwise SQLite's file. Loads only what is used.
 *
 * @param isServer whether this process is the server of the data folder, and watches SQLite's file
 * @throws (rejects with) a DatabaseFault if SQLite cannot open its file, or if the database is
 * newer than this server
 */
export async function openDatabase(
  urls: readonly string[],
  file: string,
  { isServer = false } = {},
): Promise<Database> {
  if (urls.length > 0) return (await import('./postgres/postgres.ts')).openPostgres(urls);
  return (await import('./sqlite/sqlite.ts')).openSqlite(file, isServer);
}

/** Names a PostgreSQL in messages, without its password: `host:5432/database`. */
export const nameOf = (url: URL): string => `${url.host || 'local socket'}${url.pathname}`;

/** Rows that wait in an outbox. */
export interface Backlog {
  waiting: number;
  /** When the oldest was queued, in milliseconds since 1970; null: none waits. */
  oldestAt: number | null;
}

/** An error of the database, with its message and code. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
  /**
   * PostgreSQL's or the system's code, such as 57P01 or ECONNREFUSED; SQLite's errors have
   * `sqlite-` and a number.
   */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * PostgreSQL's classes "data exception" and "integrity constraint violation"; SQLite's TOOBIG,
 * CONSTRAINT and MISMATCH.
 */
const DATA_ERROR = /^(2[23][\dA-Z]{3}|sqlite-(18|19|20))$/;

/** Whether the database rejected a value. Other rows may still succeed. */
export const isDataError = (cause: unknown): cause is DatabaseFault =>
  cause instanceof DatabaseFault && DATA_ERROR.test(cause.code);

/**
 * Makes a function that runs works one after the other. A failed one does not stop the next ones.
 */
export function makeQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
