/** Opens the server's database for one command, also while the server runs. */
import { existsSync } from 'node:fs';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { readSettings, type Settings } from '../settings.ts';

/** @throws (rejects with) an Error if there is no database yet, and nothing is made then */
export async function withDatabase<T>(
  work: (db: Database, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = readSettings(process.env);
  const { databaseUrls, files } = settings;
  if (databaseUrls.length === 0 && !existsSync(files.database))
    throw new Error(
      `There is no database at ${files.database}. Start the server once, or set DATA_DIR.`,
    );
  const db = await openDatabase(databaseUrls.map(String), files.database);
  return work(db, settings).finally(() => db.close());
}
