/** Migrates a database: runs each file of migrations/ once, in the order of their numbers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseFault, type Session } from './database.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/**
 * Runs the missing migrations, as part of one transaction. If two servers start at once, the second
 * one waits for the commit of the first.
 *
 * @throws (rejects with) the database's error, or a DatabaseFault if the database is newer than
 * this server
 */
export async function migrate({ kind, run }: Session): Promise<void> {
  const files = readdirSync(FOLDER).sort();
  if (kind === 'postgres') {
    await run("SELECT pg_advisory_xact_lock(hashtext('site-migrations'))");
    // Checked first, because `CREATE SCHEMA IF NOT EXISTS` needs the right to create schemas even
    // if the schema exists.
    const [{ there } = {}] = await run("SELECT to_regclass('site.migrations') AS there");
    if (there === null) await run(`CREATE SCHEMA IF NOT EXISTS site; ${MAKE_TABLE_OF_MIGRATIONS}`);
  } else await run(MAKE_TABLE_OF_MIGRATIONS);
  const appliedFiles = new Set(
    (await run('SELECT file FROM migrations')).map(({ file }) => String(file)),
  );
  const unknownFiles = [...appliedFiles].filter((file) => !files.includes(file));
  if (unknownFiles.length > 0)
    throw new DatabaseFault(
      `The database has been written by a newer version of this server (${unknownFiles.join(', ')}). Start that version.`,
      'newer',
    );
  for (const file of files.filter((name) => !appliedFiles.has(name))) {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    for (const sql of splitStatements(kind === 'sqlite' ? translateToSqlite(text) : text))
      await run(sql);
    await run('INSERT INTO migrations (file, at_ms) VALUES ($1, $2)', [file, Date.now()]);
  }
}

const MAKE_TABLE_OF_MIGRATIONS =
  'CREATE TABLE IF NOT EXISTS migrations (file TEXT PRIMARY KEY, at_ms BIGINT NOT NULL)';

/** Splits a file into statements. Each ends with a semicolon at the end of a line. */
const splitStatements = (text: string) => text.split(/;\n/).filter((sql) => sql.trim() !== '');

/**
 * Translates a migration from PostgreSQL's types to SQLite's. A table must end with a line `);`. It
 * becomes a table WITHOUT ROWID, which is sorted by its primary key. Ids of clicks begin with their
 * time, so new rows are added at the end of the file.
 */
const translateToSqlite = (text: string) =>
  text
    .replaceAll('UUID', 'TEXT')
    .replaceAll(/BIGINT|\bINT\b|BOOLEAN/g, 'INTEGER')
    .replaceAll('\n);', '\n) STRICT, WITHOUT ROWID;');
