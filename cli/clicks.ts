/** `npm run clicks`: the operator's commands for the ledger. */
import { parseArgs } from 'node:util';
import { dataFiles, readConfig } from '../server/config.ts';
import { link, UTM_OPTIONS } from './link.ts';
import { rebuild } from './rebuild.ts';
import { rebuildShared } from './rebuild-shared.ts';
import { replay } from './replay.ts';
import { report } from './report.ts';
import { print, runProgram } from './run-program.ts';
import { tail } from './tail.ts';
import { trace } from './trace/trace.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run clicks -- <command> [options]

  tail [--follow] [--lines 10]        the last clicks, one per line; --follow waits for more
  report [--days 30] [--ledger …]     clicks per day, call to action and ref
  rebuild [--ledger …]                builds the index again from the ledger (stop the server first)
  replay --key phc_… [--since T] [--until T] [--limit N] [--all] [--dry-run [--json]] [--ledger …]
                                      sends clicks to PostHog as cta_click, for disasters: the server does it by itself.
                                      PostHog counts each click once, however often you send it. T: ISO 8601, such as
                                      2026-01-31 or 2026-01-31T09:30:00Z. Leaves out visitors who ask for privacy, and
                                      never sends addresses. Skips clicks on which PostHog's verdict is known; --all
                                      sends them too. --dry-run sends nothing, and counts by day and verdict; with
                                      --json it prints the events. The exit code is 0 if nothing is left to send.
  trace ID [--json] [--ledger …]      one click's life: made, sent, received, on the disk, in the index, PostHog's verdict
  link --ref CODE [--utm-source S] [--utm-medium M] [--utm-campaign C] [--utm-content C] [--utm-term T] [--to FOLDER]
                                      prints the short link of a clinic, and writes its QR code (SVG, PNG) and a leaflet
                                      to print into FOLDER (the present one)

The ledger is clicks.jsonl in DATA_DIR (./data), with its rotated files. --ledger FOLDER names another server's data
folder, or a copy of it. You can repeat the option: each click counts once over all ledgers. replay sends to POSTHOG_HOST.
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  follow: { type: 'boolean', short: 'f' },
  lines: { type: 'string', short: 'n' },
  days: { type: 'string' },
  key: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  ledger: { type: 'string', multiple: true },
  limit: { type: 'string' },
  all: { type: 'boolean' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  ref: { type: 'string' },
  to: { type: 'string' },
  ...Object.fromEntries(UTM_OPTIONS.map((name) => [name, { type: 'string' } as const])),
} as const;

await runProgram(HELP, async () => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, ...rest] = positionals;
  if (values.help || command === 'help') return print(HELP);
  const id = command === 'trace' ? rest.shift() : undefined;
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}"`);
  const config = readConfig(process.env);
  const { dataDir, databaseUrl, files } = config;
  const folders = [dataDir, ...(values.ledger ?? [])];
  const ledgers = folders.map((folder) => dataFiles(folder).ledger);
  if (command === 'tail') await tail(files.ledger, values, print);
  else if (command === 'report') await report(ledgers, values, print);
  else if (command === 'rebuild' && databaseUrl) await rebuildShared(databaseUrl, folders, print);
  else if (command === 'rebuild') await rebuild(files, print);
  else if (command === 'replay') await replay(ledgers, config, values, print);
  else if (command === 'trace') await trace(ledgers, config, { ...values, id }, print);
  else if (command === 'link') link(config, values, print);
  else throw new UsageError(command ? `There is no command "${command}"` : 'Name a command');
});
