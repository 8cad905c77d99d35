/** `npm run backup`: copies a server's data folder, also while the server runs. */
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../server/config.ts';
import { dataFolders, inFolder } from './data-folders.ts';
import { givenPath } from './given-path.ts';
import { makeBackup } from './make-backup.ts';
import { print, runProgram } from './run-program.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run backup -- --to FOLDER [--with-keys]

Copies all data below DATA_DIR (./data) into FOLDER, which must be empty or new. The server may run: the backup has
every click and registration that the server had confirmed when the backup began. FOLDER/backup.json lists each file
with its size, its lines and its SHA-256.

  --with-keys   also copies registrations.keys, which decrypts the registrations. Keep it apart from the other files.

Without DATA_DIR, it copies each folder of REPORT_LEDGERS (several servers on one machine) into a folder below FOLDER with
the same name, such as FOLDER/3001.

With DATABASE_URL the registrations are in PostgreSQL: run pg_dump each time before the backup.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  to: { type: 'string' },
  'with-keys': { type: 'boolean' },
} as const;

await runProgram(HELP, async () => {
  const { values } = parseArgs({ options });
  if (values.help) return print(HELP);
  if (!values.to) throw new UsageError('--to must name the folder to write');
  const config = readConfig(process.env);
  const to = givenPath(values.to);
  const withKeys = values['with-keys'] === true;
  const folders = dataFolders(config);
  for (const folder of folders) {
    const target = folders.length === 1 ? to : join(to, basename(folder));
    await makeBackup(inFolder(config, folder), { to: target, withKeys }, print);
  }
});
