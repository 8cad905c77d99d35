/** `npm run registrations`: the operator's commands for registrations. */
import { parseArgs } from 'node:util';
import { readSettings } from '../server/settings.ts';
import { deleteRegistration } from './delete-registration.ts';
import { exportRegistrations } from './export-registrations.ts';
import { listRegistrations } from './list-registrations.ts';
import { rotateKey } from './rotate-key.ts';
import { print, runProgram } from './run-program.ts';
import { sendMailFiles } from './send-mail-files.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run registrations -- <command> [options]

  list                                the registrations, masked, each with the state of its mail
  export --format csv|json --to FILE  all registrations, readable, in a new file that only you can read
  send-files [--dry-run]              sends the mails that the server has stored as files without SMTP_URL, each at most
                                      once. Needs SMTP_URL. The server may run.
  delete EMAIL                        deletes one registration, its mail and its hash
  rotate-key                          encrypts every registration with the current key. If the server made its keys
                                      itself, with a new key (stop the server of this DATA_DIR first)

The registrations are in DATA_DIR (./data), or at DATABASE_URL; the keys are the server's.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  format: { type: 'string' },
  to: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const;

await runProgram(HELP, async () => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, ...rest] = positionals;
  if (values.help || command === 'help') return print(HELP);
  const email = command === 'delete' ? rest.shift() : undefined;
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}"`);
  const config = readSettings(process.env);
  if (command === 'list') await listRegistrations(config, print);
  else if (command === 'export') await exportRegistrations(config, values, print);
  else if (command === 'delete') await deleteRegistration(config, email, print);
  else if (command === 'send-files')
    await sendMailFiles(config, { dryRun: values['dry-run'] === true }, print);
  else if (command === 'rotate-key') await rotateKey(config, print);
  else throw new UsageError(command ? `There is no command "${command}"` : 'Name a command');
});
