/** `npm run backup`: copies a server's data folder, also while the server runs. */
import { parseArgs } from 'node:util';
import { readConfig } from '../server/config.ts';
import { makeBackup } from './make-backup.ts';
import { print, runProgram } from './run-program.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run backup -- --to FOLDER [--with-keys]

Copies all data below DATA_DIR (./data) into FOLDER, which must be empty or new. The server may run: the backup has
every click and registration that the server had confirmed when the backup began. FOLDER/backup.json lists each file
with its size, its lines and its SHA-256.

  --with-keys   also copies registrations.keys, which decrypts the registrations. Keep it apart from the other files.

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
  await makeBackup(config, { to: values.to, withKeys: values['with-keys'] === true }, print);
});
