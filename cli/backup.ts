/** `npm run backup`: copies a server's data folder, also while the server runs. */
import { parseArgs } from 'node:util';
import { readConfig } from '../server/config.ts';
import { makeBackup } from './make-backup.ts';
import { print, runProgram } from './run-program.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run backup -- --to FOLDER [--with-keys]

Copies everything below DATA_DIR (./data) that cannot be made again into FOLDER, which must be empty or new. The server
may run meanwhile: every click and registration that it had confirmed before is in the backup. FOLDER/backup.json lists
each file with its size, its lines and its SHA-256.

  --with-keys   also copies registrations.keys, which opens the registrations. Keep it apart from the other files.

With DATABASE_URL the registrations are in PostgreSQL: save them with pg_dump, each time before the backup.
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
