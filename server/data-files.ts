/** The files of a data folder. */
import { join } from 'node:path';

/** Scripts may rely on the names. @param dataDir absolute path */
export function dataFiles(dataDir: string) {
  return {
    /** The record of truth without PostgreSQL, with every table. Beside it: clicks-DATE.jsonl and refused-DATE.jsonl. */
    database: join(dataDir, 'site.db'),
    /** Empty file, locked by the server that writes in the folder. */
    lock: join(dataDir, 'site.lock'),
    /** The keys of the registrations, if no others are given. */
    registrationKeys: join(dataDir, 'registrations.keys'),
  };
}
