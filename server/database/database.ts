/**
 * The interface of the database. SQLite and PostgreSQL run the same SQL texts, with `$1`, `$2` …
 * for values. Migrations are written for PostgreSQL, and migrate.ts translates them to SQLite.
 */
export type Value = string | number | boolean | null;
export type Row = Record<string, unknown>;

/**
 * Gives rows the type of their statement's columns. TypeScript cannot read SQL, so only tests show
 * that the two agree.
 */
export const rowsAs = <Columns>(rows: Row[]): Columns[] => rows as Columns[];

/**
 * Runs statements in one transaction. Each method rejects with the database's error, and the
 * transaction is then rolled back.
 */
export interface Session {
  readonly kind: 'sqlite' | 'postgres';
  /** Runs a statement. @returns the rows of its result */
  run(sql: string, values?: Value[]): Promise<Row[]>;
  /** Runs one statement several times, once for each list of values. */
  runEach(sql: string, lists: Value[][]): Promise<void>;
  /**
   * Inserts the rows whose primary key is not in the table yet. Of two rows with the same key, only
   * the first one is inserted.
   *
   * @param key name of the primary key's column
   * @param rows all have the same columns
   * @returns the indexes in `rows` of the inserted ones
   */
  insertNew(table: string, key: string, rows: Record<string, Value>[]): Promise<number[]>;
}

/**
 * A work: a function that runs in one transaction. server/works.ts lists all of them. SQLite runs
 * works in a worker thread, because a commit blocks until the disk has written. So arguments and
 * result must be plain data, and the time is an argument.
 */
export type Work<Args extends unknown[], Result> = (
  session: Session,
  ...args: Args
) => Promise<Result>;

/** The work of `write`: runs one statement. */
export const runStatement = ({ run }: Session, sql: string, values: Value[]): Promise<Row[]> =>
  run(sql, values);

/** Runs one statement in a transaction of its own. @throws (rejects with) as `transaction` */
export const write = (
  db: Pick<Database, 'transaction'>,
  sql: string,
  values: Value[],
): Promise<Row[]> => db.transaction(runStatement, sql, values);

export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /**
   * Runs a work in a transaction, after the transactions that were requested earlier. Resolves when
   * the commit is on the disk, and with PostgreSQL also on its synchronous standby.
   *
   * @throws (rejects with) a DatabaseFault. If the connection ended during the commit, the
   * transaction may have been committed, so works must be idempotent. An Error if server/works.ts
   * lacks the work
   */
  transaction<Args extends unknown[], Result>(
    work: Work<Args, Result>,
    ...args: Args
  ): Promise<Result>;
  /** Runs a SELECT on committed rows. @throws (rejects with) a DatabaseFault */
  read(sql: string, values?: Value[]): Promise<Row[]>;
  /**
   * Takes the lock of a job, so that only one server runs the job. The server keeps the lock until
   * it closes or loses its connection.
   *
   * @returns whether this server has the lock
   */
  tryLock(job: string): Promise<boolean>;
  /**
   * Overwrites the content of deleted rows in the database's files.
   *
   * @param tables names of their tables
   */
  overwriteDeleted(tables: string[]): Promise<void>;
  /** Closes the database after the requested transactions. */
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL if there are URLs, otherwise SQLite's file. Loads only the driver that is used.
 *
 * @param urls of PostgreSQL's servers
 * @param file path of SQLite's file
 * @param isServer whether this process is the server, which watches SQLite's file
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

/**
 * Returns the name of a PostgreSQL database for messages, without the password:
 * `host:5432/database`.
 */
export const nameOfDatabase = (url: URL): string => `${url.host || 'local socket'}${url.pathname}`;

/** How much waits in an outbox table. */
export interface Backlog {
  waiting: number;
  /** When the oldest row was queued, in milliseconds since 1970; null: no row waits. */
  oldestAt: number | null;
}

/** An error of the database. Its message is written for operators. */
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
 * Codes of errors that a value causes. PostgreSQL: the classes "data exception" and "integrity
 * constraint violation". SQLite: TOOBIG, CONSTRAINT and MISMATCH.
 */
const DATA_ERROR = /^(2[23][\dA-Z]{3}|sqlite-(18|19|20))$/;

/**
 * Whether the database rejected a value, so that the same statement may succeed with other rows.
 */
export const isDataError = (cause: unknown): cause is DatabaseFault =>
  cause instanceof DatabaseFault && DATA_ERROR.test(cause.code);

/**
 * Creates a queue: a function that runs asynchronous functions one after the other. A failed one
 * does not stop the next ones.
 */
export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
