/** The program `site`: what operators and the growth team do by hand. Each command is loaded when it is called. */
import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { LANGUAGES } from '#contract/language.ts';
import { CAMPAIGN_PARAMETERS, CAMPAIGN_VALUE } from '#contract/visit.ts';
import { printable, printableLines } from '../text/printable.ts';

// Node's own option would print a line where there is no such file.
if (existsSync('.env')) process.loadEnvFile();

const site = new Command('npm run -s site --')
  .usage('<command>')
  .description(
    'Links for clinics, and registrations. The commands use the settings of the server, and its database: PostgreSQL at DATABASE_URL, or site.db in DATA_DIR.',
  )
  .showHelpAfterError('--help shows the options.');

const print = (text: string): void => void process.stdout.write(text);

const link = site
  .command('link')
  .description(
    "print a clinic's short link, and write its QR code and a leaflet to print; without --ref, list the links that have a name",
  )
  .option('--ref <code>', 'code of the clinic, such as clinic-7', readRef)
  .option(
    '--name <text>',
    'name of the clinic, for the list and the title of the leaflet',
    readName,
  )
  .addOption(
    new Option('--language <language>', 'language of the leaflet, and of the page')
      .choices([...LANGUAGES])
      .default('en'),
  )
  .option('--to <folder>', 'folder for the files', '.')
  .option('--build <folder>', 'folder of the build', 'dist');
for (const parameter of CAMPAIGN_PARAMETERS)
  link.option(`--${parameter.replace('_', '-')} <text>`, `${parameter} of the link`, readUtm);
link.action(async (options) => (await import('./link.ts')).link(options, print));

const registrations = site
  .command('registrations')
  .description('list, export, delete and encrypt the registrations');
const load = () => import('./registrations.ts');
registrations
  .command('list')
  .description(
    'print the registrations, with masked names and addresses, and the state of each mail',
  )
  .action(async () => (await load()).list(print));
registrations
  .command('export')
  .description('write all registrations, readable, to a new file that only you can read')
  .addOption(
    new Option('--format <format>', 'csv for a spreadsheet, json for a program')
      .choices(['csv', 'json'])
      .makeOptionMandatory(),
  )
  .requiredOption('--to <file>', 'file to write, which must not exist')
  .action(async ({ to, format }) => (await load()).exportTo(to, format, print));
registrations
  .command('delete')
  .description("delete a person's registration and its mail")
  .argument('<email>', "the person's e-mail address, in any spelling", readEmail)
  .action(async (email) => (await load()).deleteOne(email, print));
registrations
  .command('rotate-key')
  .description(
    'encrypt all registrations with the first key of REGISTRATION_KEYS; without that setting, with a new key (stop the server first)',
  )
  .action(async () => (await load()).rotateKey(print));

// The reader of a pipe has ended, as in `registrations list | head`.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
  process.exit(code === 'EPIPE' ? 0 : 1),
);
try {
  await site.parseAsync();
} catch (error) {
  process.stderr.write(`${printableLines((error as Error).message)}\n`);
  process.exitCode = 1;
}

/** A URL needs no escapes for these signs. A link may end a sentence, so punctuation may not end a code. */
function readRef(text: string): string {
  if (/^[a-z\d](?:[\w.~-]{0,62}[a-z\d])?$/i.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be 1 to 64 letters, digits, ".", "_", "~" or "-", such as clinic-7, with a letter or digit at both ends.',
  );
}

function readName(text: string): string {
  if (/\S/.test(text) && text.length <= 100 && printable(text) === text) return text.trim();
  throw new InvalidArgumentError('It must be 1 to 100 visible characters.');
}

function readUtm(text: string): string {
  if (CAMPAIGN_VALUE.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 64 letters, digits, ".", "_", "~" or "-".');
}

function readEmail(text: string): string {
  if (text.includes('@')) return text;
  throw new InvalidArgumentError('It must be an e-mail address.');
}
