/**
 * The program `site`: commands for operators and the growth team. The code of a command is loaded
 * only when it is called, which keeps the start fast.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { LANGUAGES } from '#contract/language.ts';
import { MARKS } from '../clicks/mark-rows.ts';
import { printable } from '../html/safe-text.ts';
import { linkSchema } from '../links/known-links.ts';

// Reads .env here and not by Node's option `--env-file-if-exists`, which prints a line if the file
// is missing.
if (existsSync('.env')) process.loadEnvFile();

/** Makes the parser of an option from a schema. A wrong text gets the schema's message. */
const readWith =
  <T>(schema: z.ZodType<T, string>) =>
  (text: string): T => {
    const { data, error } = schema.safeParse(text);
    if (error) throw new InvalidArgumentError(String(error.issues[0]?.message));
    return data;
  };
const readLike = (pattern: RegExp, message: string) => readWith(z.string().regex(pattern, message));
const readDays = readLike(/^[1-9]\d{0,2}$/, 'It must be a whole number from 1 to 999.');
const readEmail = readLike(/@/, 'It must be an e-mail address.');
const readNetwork = readWith(
  z.union(
    [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
    'It must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24.',
  ),
);
const readAddress = readWith(z.union([z.ipv4(), z.ipv6()], 'It must be an IPv4 or IPv6 address.'));
const readId = readWith(z.guid('It must be a UUID.').toLowerCase());
const URL_FORM = { protocol: /^https?$/, error: 'It must be a URL such as https://site.example.' };
const readUrl = readWith(z.url(URL_FORM).transform((text) => new URL(text)));
const TIME_FORM = 'It must be a date or a time: 2026-01-31 or 2026-01-31T09:30:00Z.';
const times = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];
/** Parses a time into milliseconds since 1970. A date without a time begins at midnight in UTC. */
const readTime = readWith(z.union([z.iso.date(), ...times], TIME_FORM).transform(Date.parse));
/**
 * Resolves a path against the operator's folder. npm has changed to the project's folder, and has
 * the operator's one in INIT_CWD.
 */
const readPath = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);

const site = new Command('npm run -s site --')
  .usage('<command>')
  .description('The commands use the settings of the server, and its database.')
  .showHelpAfterError('--help shows the options.');

/** Adds a command with the option `--build`, because it reads the build. */
const withBuild = (parent: Command, name: string) =>
  parent.command(name).option('--build <folder>', 'folder of the build', 'dist');

withBuild(site, 'report')
  .description('write the page of /report to standard output')
  .option('--days <number>', 'days until today', '30')
  .option('--from <date>', 'first day, such as 2026-01-31; with --to')
  .option('--to <date>', 'last day')
  .option('--tz <zone>', 'time zone, such as America/New_York; that of site.json if it is missing')
  .option('--ref <code>', 'clicks and visits of one link')
  .option('--cta <event>', 'clicks of one call to action')
  .option('--csv', 'as a table for spreadsheets')
  .action(async (fields) => (await import('./report.ts')).printReport(fields));

withBuild(site, 'check')
  .description('try every setting and service, and name what is open before the site goes live')
  .option('--url <url>', 'also send one click of a robot to this running site', readUrl)
  .action(async (options) => (await import('./check.ts')).check(options));

withBuild(site, 'import')
  .description('read lines of the log back into the table')
  .argument('<files...>', 'clicks-DATE.jsonl')
  .action(async (files, options) =>
    (await import('./import.ts')).importFiles(files.map(readPath), options),
  );

withBuild(site, 'link')
  .description("print a clinic's short link, and write its QR code")
  .requiredOption('--ref <code>', 'code, such as clinic-7', readWith(linkSchema.shape.code))
  .option('--name <text>', 'name for the report', readWith(linkSchema.shape.name))
  .addOption(new Option('--language <language>').choices([...LANGUAGES]).default('en'))
  .option('--to <folder>', 'folder for the QR code', readPath, readPath('.'))
  .action(async (options) => (await import('./link.ts')).link(options));

withBuild(site, 'forget')
  .description('delete what the site has of a visitor who asks for it, also while the server runs')
  .option('--visit <id>', 'clicks and events of one page load: visit_id of a line', readId)
  .option('--ip <address>', 'clicks from an address, and all of their visits', readAddress)
  .option('--email <address>', 'the registration of an e-mail address, in any spelling', readEmail)
  .action(async (options) => (await import('./forget.ts')).forget(options));

withBuild(site, 'retention')
  .description('show what is too old, and delete it although the server waits for a person')
  .option('--yes', "delete it: this machine's clock is right")
  .action(async (options) => (await import('./retention.ts')).retention(options));

site
  .command('mark')
  .description('take clicks and visits of a flood out of every figure, also while the server runs')
  .addOption(new Option('--as <mark>', 'what they are').choices([...MARKS]))
  .option(
    '--ip <address>',
    'clicks from an address, or from a network: 203.0.113.0/24',
    readNetwork,
  )
  .option('--ref <code>', 'clicks and visits of one link; none: those without a link')
  .option('--class <class>', 'those from a kind of site, such as direct or search')
  .option('--site <site>', 'those from a site, by its name in the report or its host')
  .option('--since <time>', 'those that the server received from then on', readTime)
  .option('--until <time>', 'those before; now if it is missing', readTime)
  .addOption(new Option('--only <table>', 'one of the two').choices(['clicks', 'visits']))
  .option('--yes', 'mark them without a question')
  .option(
    '--undo <id>',
    'take a marking back',
    readLike(/^[\da-f]{8}$/, 'It must be the id of a marking.'),
  )
  .option('--list', 'print the markings')
  .action(async (options) => (await import('./mark.ts')).mark(options));

site
  .command('backup')
  .description('copy the database to one file, also while the server runs (SQLite)')
  .requiredOption('--to <file>', 'file to write, which must not exist', readPath)
  .option('--with-keys', 'copy the keys of the registrations too, to FILE.keys')
  .action(async (options) => (await import('./backup.ts')).backup(options));

const registrations = site
  .command('registrations')
  .description('list, export, delete and encrypt the registrations');
const loadRegistrations = () => import('./registrations.ts');
registrations
  .command('list')
  .description('print them, with masked names and addresses, and the state of each mail')
  .action(async () => (await loadRegistrations()).list());
registrations
  .command('export')
  .description('write all registrations, readable, to a new CSV file that only you can read')
  .requiredOption('--to <file>', 'file to write, which must not exist', readPath)
  .action(async ({ to }) => (await loadRegistrations()).exportTo(to));
registrations
  .command('delete')
  .description("delete a person's registration and its mail")
  .argument('<email>', "the person's e-mail address, in any spelling", readEmail)
  .action(async (email) => (await loadRegistrations()).deleteOne(email));
registrations
  .command('rotate-key')
  .description('encrypt all with the first key of REGISTRATION_KEYS, or of registrations.keys')
  .action(async () => (await loadRegistrations()).rotateKey());

const posthog = site
  .command('posthog')
  .description('compare clicks with PostHog, send them once more, and make a dashboard');
const loadPosthog = () => import('./posthog.ts');
withBuild(posthog, 'check')
  .description('compare table and PostHog per day (UTC), and name the clicks that one lacks')
  .option('--days <number>', 'days until today', readDays, '7')
  .action(async ({ days, build }) => (await loadPosthog()).check(Number(days), build));
withBuild(posthog, 'resend')
  .description('queue clicks for PostHog once more; PostHog merges a click that it has')
  .requiredOption('--since <time>', 'when the server received the first one', readTime)
  .action(async ({ since, build }) => (await loadPosthog()).resend(since, build));
withBuild(posthog, 'dashboard')
  .description('make a dashboard with six tiles at PostHog, once')
  .action(async ({ build }) => (await loadPosthog()).dashboard(build));

/**
 * Runs one command. If it fails, prints a sentence to standard error and sets the exit code to 1.
 */
export async function runCommand(args: string[]): Promise<void> {
  try {
    await site.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('\n').map(printable).join('\n')}\n`);
    process.exitCode = 1;
  }
}

if (import.meta.main) {
  // EPIPE means that the program that reads the pipe has ended, as in `registrations list | head`.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0);
    process.stderr.write(`Standard output fails: ${message}\n`);
    process.exit(1);
  });
  await runCommand(process.argv.slice(2));
}
