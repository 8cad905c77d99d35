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
    'Reports, clicks, links for clinics, registrations, the requests of visitors, and what else operators do by hand. The commands use the settings of the server, and its database: PostgreSQL at DATABASE_URL, or site.db in DATA_DIR.',
  )
  .showHelpAfterError('--help shows the options.');

const print = (text: string): void => void process.stdout.write(text);

site
  .command('report')
  .description('write the page of /report to standard output')
  .option('--days <number>', 'days until today', '30')
  .option('--from <date>', 'first day, such as 2026-01-31; with --to')
  .option('--to <date>', 'last day')
  .option('--tz <zone>', 'time zone, such as America/New_York; that of site.json if it is missing')
  .option('--ref <code>', 'clicks and visits of one link')
  .option('--cta <event>', 'clicks of one call to action')
  .option('--share', 'for readers outside the team: hide figures from 1 to 10')
  .option('--csv', 'as a table for spreadsheets')
  .option('--build <folder>', 'folder of the build', 'dist')
  .action(async ({ share, ...fields }) =>
    (await import('./report.ts')).printReport({ ...fields, ...(share && { share: '1' }) }, print),
  );

site
  .command('check')
  .description(
    'try every setting and service, and name what is open before the site goes live; listens nowhere and writes nothing',
  )
  .option('--url <url>', 'also send one click of a robot to this running site', readUrl)
  .option('--build <folder>', 'folder of the build', 'dist')
  .action(async (options) => (await import('./check/check.ts')).check(options, print));

site
  .command('import')
  .description(
    'read lines of the log back into the table, also those of the version before, and its registrations.sqlite',
  )
  .argument('[files...]', 'clicks-DATE.jsonl, clicks.jsonl*, registrations.sqlite')
  .option('--registrations-from-postgres', "read the registrations of PostgreSQL's schema public")
  .option('--build <folder>', 'folder of the build', 'dist')
  .action(async (files, options) =>
    (await import('./import.ts')).importFiles(files, options, print),
  );

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

site
  .command('forget')
  .description('delete what the site has of a visitor who asks for it, also while the server runs')
  .option('--visit <id>', 'clicks and events of one page load: visit_id of a line', readId)
  .option('--ip <address>', 'clicks from an address, and all of their visits')
  .option('--email <address>', 'the registration of an e-mail address, in any spelling', readEmail)
  .option('--build <folder>', 'folder of the build', 'dist')
  .action(async (options) => (await import('./forget.ts')).forget(options, print));

site
  .command('backup')
  .description('copy the database to one file, also while the server runs (SQLite)')
  .requiredOption('--to <file>', 'file to write, which must not exist')
  .option('--with-keys', 'copy the keys of the registrations too, to FILE.keys')
  .action(async (options) => (await import('./backup.ts')).backup(options, print));

site
  .command('clicks')
  .description('print the 20 newest clicks as JSON lines, without visit, address and browser')
  .option('--ref <code>', 'clicks of one link')
  .option('--since <time>', 'all clicks since then, such as 2026-01-31T09:00Z', readTime)
  .option('--id <id>', 'one click, with all that is known of it', readId)
  .option('--follow', 'go on with new clicks until Ctrl-C')
  .option('--csv', 'as a table for spreadsheets')
  .action(async (options) => (await import('./clicks.ts')).clicks(options, print));

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

const posthog = site
  .command('posthog')
  .description('compare the clicks with those that PostHog has, and send them once more');
const loadPosthog = () => import('./posthog.ts');
posthog
  .command('check')
  .description(
    'compare table and PostHog per day (UTC), and name the clicks that one of them lacks; needs POSTHOG_PROJECT_ID and POSTHOG_PERSONAL_KEY',
  )
  .option('--days <number>', 'days until today', readDays, 7)
  .option('--build <folder>', 'folder of the build', 'dist')
  .action(async ({ days, build }) => (await loadPosthog()).check(days, build, print));
posthog
  .command('resend')
  .description('queue clicks for PostHog once more; PostHog merges a click that it has')
  .requiredOption('--since <time>', 'when the server received the first one, such as 2026-01-31')
  .option('--build <folder>', 'folder of the build', 'dist')
  .action(async ({ since, build }) => (await loadPosthog()).resend(since, build, print));

// The reader of a pipe has ended, as in `registrations list | head`.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`Standard output fails: ${message}\n`);
  process.exit(1);
});
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

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('It must be a URL such as https://site.example.');
}

function readId(text: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID.');
}

/** @returns milliseconds since 1970 */
function readTime(text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError('It must be a time, such as 2026-01-31T09:00Z.');
}

function readDays(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999.');
}

function readEmail(text: string): string {
  if (text.includes('@')) return text;
  throw new InvalidArgumentError('It must be an e-mail address.');
}
