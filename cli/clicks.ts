/** `npm run clicks`: the operator's commands for the ledger. */
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../server/config.ts';
import { dataFiles } from '../server/data-files.ts';
import { dataFolders, inFolder, isDefaultFolder } from './data-folders.ts';
import { FORGET_OPTIONS, forget } from './forget.ts';
import { givenPath } from './given-path.ts';
import { GREP_OPTIONS, grep } from './grep.ts';
import { readJsonOptions } from './json-options.ts';
import { filesOf } from './ledger-chunks.ts';
import { LINES_OPTIONS, lines } from './lines.ts';
import { link, UTM_OPTIONS } from './link.ts';
import { rawLine } from './raw-line.ts';
import { rebuild } from './rebuild.ts';
import { rebuildShared } from './rebuild-shared.ts';
import { reconcile } from './reconcile.ts';
import { replay } from './replay.ts';
import { REPORT_OPTIONS, report } from './report.ts';
import { print, printSlowly, runProgram } from './run-program.ts';
import { TAIL_OPTIONS, tail } from './tail.ts';
import { UsageError } from './usage-error.ts';
import { VERIFY_OPTIONS, verify } from './verify/verify.ts';
import { warnOfIgnored } from './warn.ts';

const HELP = `Usage: npm run clicks -- <command> [options]

  tail [--follow] [--lines 10] [--since T] [--event E] [--ref R] [--limit N] [--json] [--ledger …]
                                      the last clicks in columns; --follow waits for more; --json prints the ledger's lines
  grep PATTERN [--field F] [--ignore-case] [--columns F,F,… | --columns all] [--since T] [--limit N] [--ledger …]
                                      the lines that match a regular expression, anywhere or in a field such as referrer or
                                      campaign.utm_source. --columns prints only these fields. The exit code is 1 if none.
  verify [--limit 20] [--ledger …]    is each line a click, is each id there once, does the index agree? Says what differs,
                                      and changes nothing. The exit code is 0 if nothing differs. The server may run.
  report [--days 30 | --since T --until T] [--as-of T] [--format text|html|csv|jsonl|parquet] [--to FILE]
         [--top 20] [--share] [--ledger …]
                                      clicks per day, call to action, ref and more. --as-of counts what had been received
                                      by then. --share hides small figures about clinics, for readers outside.
  lines [the same period] [--day 2026-01-31] [--ref …] [--event …] … [--robots without|only|all] [--ledger …]
                                      the lines behind a figure of the report; the report names the options.
                                      --ref-json and the like take a text in JSON
  rebuild [--ledger …]                builds the index again from the ledger (stop the server first)
  replay --key phc_… [--since T] [--until T] [--limit N] [--all] [--dry-run [--json]] [--ledger …]
                                      sends clicks to PostHog as cta_click, for disasters: the server does it by itself.
                                      PostHog counts each click once, however often you send it. T: ISO 8601, such as
                                      2026-01-31 or 2026-01-31T09:30:00Z. Leaves out visitors who ask for privacy, and
                                      never sends addresses. Skips clicks on which PostHog's verdict is known; --all
                                      sends them too. --dry-run sends nothing, and counts by day and verdict; with
                                      --json it prints the events. The exit code is 0 if nothing is left to send.
  reconcile [--since T] [--until T] [--list] [--ledger …]
                                      compares the ledger with PostHog's receipts, and with POSTHOG_PERSONAL_KEY also with
                                      PostHog's own list of clicks. --list names the clicks that only one side has. The
                                      exit code is 0 if every difference has a reason.
  forget --visit ID … | --ip ADDRESS [--dry-run] [--ledger …]
                                      forgets a visitor who asks for it, also while the server runs: the lines, rejected
                                      bodies, waiting events, and with POSTHOG_PERSONAL_KEY the events at PostHog. Says
                                      what it cannot reach. --ip also forgets the other clicks of the same visits.
  link --ref CODE [--utm-source S] [--utm-medium M] [--utm-campaign C] [--utm-content C] [--utm-term T]
       [--language en|es] [--to FOLDER]
                                      prints the short link of a clinic, and writes its QR code (SVG, PNG) and a leaflet
                                      to print, in English or Spanish, into FOLDER (the present one)

The ledger is clicks.jsonl in DATA_DIR (./data), with its rotated files: clicks.jsonl-YYYYMMDD, clicks.jsonl-YYYYMMDD-N and
clicks.jsonl.N, each also with .gz. --ledger FOLDER names another server's data folder, or a copy of it. You can repeat the
option: each click counts once over all ledgers. Without DATA_DIR and --ledger the commands read the folders of
REPORT_LEDGERS. replay sends to POSTHOG_HOST. T is a time in ISO 8601, or 30m, 12h or 7d ago for tail and grep.
`;

const NOT_SHARED =
  'Only an index that servers share has several ledgers: set DATABASE_URL as the servers do. A server without it has an index ' +
  'of its own: set DATA_DIR to its data folder, and leave out --ledger.';

const HELP_OPTION = { help: { type: 'boolean', short: 'h' } } as const;
const LEDGER_OPTION = { ledger: { type: 'string', multiple: true } } as const;
const OPTIONS = {
  tail: TAIL_OPTIONS,
  grep: GREP_OPTIONS,
  verify: VERIFY_OPTIONS,
  report: REPORT_OPTIONS,
  lines: LINES_OPTIONS,
  rebuild: LEDGER_OPTION,
  replay: {
    key: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    limit: { type: 'string' },
    all: { type: 'boolean' },
    json: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    ...LEDGER_OPTION,
  },
  reconcile: {
    since: { type: 'string' },
    until: { type: 'string' },
    list: { type: 'boolean' },
    ...LEDGER_OPTION,
  },
  forget: FORGET_OPTIONS,
  link: {
    ref: { type: 'string' },
    language: { type: 'string' },
    to: { type: 'string' },
    ...Object.fromEntries(UTM_OPTIONS.map((name) => [name, { type: 'string' } as const])),
  },
} as const;
type Command = keyof typeof OPTIONS;

const ALL_OPTIONS: Record<string, { type: 'string' | 'boolean' }> = Object.assign(
  {},
  HELP_OPTION,
  ...Object.values(OPTIONS),
);

/** @throws UsageError for an option whose value is not the JSON that its name promises */
function givenArgs(): string[] {
  const texts = Object.entries(ALL_OPTIONS).filter(([, { type }]) => type === 'string');
  return readJsonOptions(process.argv.slice(2), new Set(texts.map(([name]) => name)));
}

/** @throws UsageError for an option that the command does not have */
function readArgs<C extends Command>(command: C) {
  const { values, positionals } = parseArgs({
    args: givenArgs(),
    options: { ...HELP_OPTION, ...OPTIONS[command] },
    allowPositionals: true,
  });
  const [, id, ...rest] = positionals;
  const unexpected = command === 'grep' ? rest[0] : id;
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument "${unexpected}"`);
  return { values, id };
}

/** Tolerant, because each command has its own options. */
function findCommand(): string | null {
  const { values, positionals } = parseArgs({
    args: givenArgs(),
    options: ALL_OPTIONS,
    strict: false,
  });
  return values.help ? 'help' : (positionals[0] ?? null);
}

await runProgram(HELP, async () => {
  const command = findCommand();
  if (command === 'help') return print(HELP);
  if (command === null || !Object.hasOwn(OPTIONS, command))
    throw new UsageError(command ? `There is no command "${command}"` : 'Name a command');
  await run(command as Command);
});

async function run(command: Command): Promise<void> {
  const { ledger } = readArgs(command).values as { ledger?: string[] };
  const settings = readConfig(process.env);
  const folders = dataFolders(settings, ledger?.map(givenPath));
  // Without a data folder of its own, a machine's receipts and keys are those of the first folder.
  const config = inFolder(settings, folders[0] ?? settings.dataDir);
  const ledgers = folders.map((folder) => dataFiles(folder).ledger);
  if (['report', 'lines'].includes(command)) for (const path of ledgers) warnOfIgnored(path);
  if (command === 'tail') await tail(ledgers, readArgs('tail').values, printSlowly);
  else if (command === 'grep') {
    const { values, id } = readArgs('grep');
    await grep(ledgers, { ...values, pattern: id }, printSlowly);
  } else if (command === 'verify') await verify(folders, config, readArgs('verify').values, print);
  else if (command === 'report') {
    const isDefault = isDefaultFolder(settings, folders);
    await report(folders, { ...config, isDefault }, readArgs('report').values, print);
  } else if (command === 'lines')
    await lines(folders, readArgs('lines').values, (line) => {
      const isRaw = !process.stdout.isTTY;
      process.stdout.write(isRaw ? line : `${rawLine(line.toString().trimEnd())}\n`);
    });
  else if (command === 'forget') await forget(folders, config, readArgs('forget').values, print);
  else if (command === 'replay') await replay(ledgers, config, readArgs('replay').values, print);
  else if (command === 'reconcile')
    await reconcile(ledgers, config, readArgs('reconcile').values, print);
  else if (command === 'link') link(config, readArgs('link').values, print);
  else await rebuildIndex(folders, config, ledger !== undefined);
}

async function rebuildIndex(folders: string[], { databaseUrl, files }: Config, isNamed: boolean) {
  for (const folder of folders) filesOf(dataFiles(folder).ledger);
  if (databaseUrl) return rebuildShared(databaseUrl, folders, print);
  if (isNamed || folders.length > 1) throw new UsageError(NOT_SHARED);
  return rebuild(files, print);
}
