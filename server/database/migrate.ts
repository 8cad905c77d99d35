/**
 * Brings a database to the newest form: runs each file of migrations/ once, in the order of their
 * numbers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseFault, type Session } from './database.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/**
 * Runs in one transaction. Two servers may start at once: the second one waits for the first one's
 * commit.
 *
 * @throws (rejects with) the database's error, or a DatabaseFault if the database is newer than
 * this server
 */
export async function migrate({ kind, run }: Session): Promise<void> {
  const files = readdirSync(FOLDER).sort();
  if (kind === 'postgres') {
    await run("SELECT pg_advisory_xact_lock(hashtext('site-migrations'))");
    // `CREATE SCHEMA IF NOT EXISTS` needs the right to create a schema also where there is one.
    const [{ there } = {}] = await run("SELECT to_regclass('site.migrations') AS there");
    if (there === null) await run(`CREATE SCHEMA IF NOT EXISTS site; ${MAKE_TABLE_OF_MIGRATIONS}`);
  } else await run(MAKE_TABLE_OF_MIGRATIONS);
  const done = new Set((await run('SELECT file FROM migrations')).map(({ file }) => String(file)));
  const unknown = [...done].filter((file) => !files.includes(file));
  if (unknown.length > 0)
    throw new DatabaseFault(
      `The database has been written by a newer version of this server (${unknown.join(', ')}). Start that version.`,
      'newer',
    );
  for (const file of files.filter((name) => !done.has(name))) {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    for (const sql of statementsOf(kind === 'sqlite' ? toSqlite(text) : text)) await run(sql);
    await run('INSERT INTO migrations (file, at_ms) VALUES ($1, $2)', [file, Date.now()]);
  }
}

const MAKE_TABLE_OF_MIGRATIONS =
  'CREATE TABLE IF NOT EXISTS migrations (file TEXT PRIMARY KEY, at_ms BIGINT NOT NULL)';

/** A statement ends at the end of a line. */
const statementsOf = (text: string) => text.split(/;\n/).filter((sql) => sql.trim() !== '');

/**
 * Translates PostgreSQL's words. Tables end with a line `);`. Without a row id, the primary key is
 * the order of the file: ids of clicks begin with their time, so new rows are its end.
 */
const toSqlite = (text: string) =>
  text
    .replaceAll('UUID', 'TEXT')
    .replaceAll(/BIGINT|\bINT\b|BOOLEAN/g, 'INTEGER')
    .replaceAll('\n);', '\n) STRICT, WITHOUT ROWID;');
