/**
 * What all commands share: standard output, and the server's database for the time of one command.
 * The server may run meanwhile.
 */
import { accessSync, constants } from 'node:fs';
import { type Database, openDatabase } from '../database/database.ts';
import { openReader, type Reader } from '../database/open-reader.ts';
import { readSettings, type Settings } from '../settings.ts';

/** Prints a line to standard output. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Opens the server's database, calls `work` with it, and closes it. */
export async function withDatabase<T>(
  work: (db: Database, settings: Settings) => Promise<T>,
  settings = settingsOfDatabase(),
): Promise<T> {
  const db = await openDatabase(settings.databaseUrls.map(String), settings.files.database);
  return work(db, settings).finally(() => db.close());
}

/** Opens a read-only connection for long queries, calls `work` with it, and closes it. */
export async function withReader<T>(
  { databaseUrls, files }: Settings,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  const reader = await openReader(databaseUrls.map(String), files.database);
  return work(reader).finally(() => reader.close());
}

/**
 * Reads the settings for a command that needs the site's database.
 *
 * @throws an Error if SQLite's file is missing, or this user may not open it
 */
export function settingsOfDatabase(): Settings {
  const settings = readSettings(process.env);
  const { databaseUrls, files } = settings;
  if (databaseUrls.length > 0) return settings;
  try {
    accessSync(files.database, constants.R_OK | constants.W_OK);
    return settings;
  } catch (cause) {
    throw new Error(
      (cause as { code?: string }).code === 'ENOENT'
        ? `There is no database at ${files.database}. Start the server once, or set DATA_DIR.`
        : `This user may not open ${files.database}. Run the command as the user of the server.`,
    );
  }
}
