/** `site backup`: copies SQLite's database to one file. The server may write meanwhile. */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { copyDatabase } from '../database/sqlite/copy-database.ts';
import { print, settingsOfDatabase } from './common.ts';

/**
 * Makes the backup. A failed one leaves no file.
 *
 * @param withKeys copies the keys of the registrations too, to FILE.keys
 * @throws an Error if a file exists already, or the database is in PostgreSQL
 */
export async function backup({ to: file, withKeys }: { to: string; withKeys?: true }) {
  const { databaseUrls, REGISTRATION_KEYS, files } = settingsOfDatabase();
  if (databaseUrls[0]) throw new Error(describeDump(databaseUrls[0], file));
  if (withKeys && REGISTRATION_KEYS)
    throw new Error('REGISTRATION_KEYS has the keys: copy them from there, without --with-keys.');
  const [part, keys] = [`${file}.part`, `${file}.keys`];
  for (const path of [file, keys])
    if (existsSync(path)) throw new Error(`${path} exists already: name another file.`);
  try {
    copyDatabase(files.database, part);
    // copyFileSync copies the mode too, so only the server's user can read the copy of the keys.
    if (withKeys) copyFileSync(files.registrationKeys, keys);
    renameSync(part, file);
  } catch (cause) {
    for (const path of [part, keys]) rmSync(path, { force: true });
    throw cause;
  }
  print(`The backup is ${file}. It lacks the log files (clicks-DATE.jsonl, refused-DATE.jsonl).`);
  if (withKeys) print(`The keys are in ${keys}. Keep them apart from the backup.`);
  else print('It lacks the keys, without which no one can read its registrations.');
}

/** Returns the command that backs up PostgreSQL, without the password of its URL. */
function describeDump(url: URL, file: string): string {
  url.password = '';
  url.searchParams.delete('password');
  return `PostgreSQL has the database. Use its own program:\npg_dump --schema=site --format=custom --file='${file}' '${url}'`;
}
