import type { Database } from './database.ts';

/**
 * Opens PostgreSQL where URLs are given, otherwise SQLite's file. Loads only what is used.
 *
 * @param urls of PostgreSQL's servers
 * @param file path of SQLite's file
 * @throws (rejects with) a DatabaseFault if SQLite cannot open its file, or if the database is newer than this server
 */
export async function openDatabase(urls: readonly string[], file: string): Promise<Database> {
  if (urls.length > 0) return (await import('./postgres.ts')).openPostgres(urls);
  return (await import('./sqlite.ts')).openSqlite(file);
}
