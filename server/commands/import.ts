/**
 * `site import`: reads lines of the click log back into the table.
 *
 * A line that is no click is no failure, because a crash or a full disk leaves half a line. The
 * command counts such lines, and names the first ones. The exit code is 1 if a file cannot be read
 * to its end.
 */
import { createReadStream, mkdirSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { readBuiltSite } from '../built-site.ts';
import type { ClickRow } from '../clicks/click.ts';
import { clicksKeptSince, identifiedSince } from '../clicks/id-time.ts';
import { importClicks, readClickLine } from '../clicks/import-clicks.ts';
import { type Database, DatabaseFault, nameOfDatabase } from '../database/database.ts';
import { readSettings } from '../settings.ts';
import { print, withDatabase } from './common.ts';

/** Rows of one transaction. More would make the clicks of the running server wait. */
const BATCH_ROWS = 500;
const RUN_AGAIN = 'Run the import again. It leaves out the clicks that are there.';
/** Upper bound for the lines that are no clicks and that the command names. */
const MOST_NAMED_LINES = 10;

/**
 * Imports each file, and prints its counts.
 *
 * @throws (rejects with) an Error that names the files that could not be read. All other files are
 * imported before
 */
export async function importFiles(files: string[], { build }: { build: string }) {
  const site = readBuiltSite(build);
  const unread: string[] = [];
  const settings = readSettings(process.env);
  mkdirSync(settings.dataDir, { recursive: true });
  await withDatabase(async (db) => {
    // The import creates a missing database. The printed path shows the operator a wrong DATA_DIR.
    print(
      `Into ${settings.databaseUrls.map(nameOfDatabase).join(', ') || settings.files.database}`,
    );
    for (const file of files) {
      print(file);
      await importLines(linesOf(file), db, site).catch((cause) => {
        if (cause instanceof DatabaseFault) throw new Error(`${cause.message}. ${RUN_AGAIN}`);
        unread.push(`${file} cannot be read: ${cause.message}`);
      });
    }
  }, settings);
  if (unread.length > 0) throw new Error(unread.join('\n'));
}

/** Imports the lines of one file, and prints what became of them. */
async function importLines(
  lines: AsyncIterable<string>,
  db: Database,
  { clickRetentionDays: days, personalDataDays, logIp }: BuiltSite,
): Promise<void> {
  const keptSince = days > 0 ? clicksKeptSince(days, Date.now()) : 0;
  const since = identifiedSince(personalDataDays, Date.now());
  const counts = {
    'lines read': 0,
    'clicks stored': 0,
    'already there': 0,
    forgotten: 0,
    'too old': 0,
    'not clicks': 0,
  };
  const faults: string[] = [];
  let batch: ClickRow[] = [];
  const storeBatch = async () => {
    const startedAt = performance.now();
    const clicks = batch;
    batch = [];
    for (const [i, result] of (await importClicks(db, clicks, Date.now())).entries()) {
      if (result !== 'logged') counts['already there'] += 1;
      else counts[clicks[i]?.forgotten_at ? 'forgotten' : 'clicks stored'] += 1;
    }
    // Pauses for as long as the transaction took, so that the running server can store its clicks.
    await wait(performance.now() - startedAt);
  };
  try {
    for await (const line of lines) {
      counts['lines read'] += 1;
      const read = readClickLine(line, logIp, since);
      if ('fault' in read) {
        counts['not clicks'] += 1;
        if (faults.length < MOST_NAMED_LINES)
          faults.push(`    line ${counts['lines read']}: ${read.fault}`);
      } else if (read.click.received_at < keptSince) counts['too old'] += 1;
      else if (batch.push(read.click) === BATCH_ROWS) await storeBatch();
    }
  } finally {
    if (batch.length > 0) await storeBatch();
    const printed = Object.entries(counts).map(([what, count]) => `  ${what}: ${count}`);
    print([...printed, ...faults].join('\n'));
  }
  if (counts['lines read'] > 0 && counts['lines read'] === counts['not clicks'])
    throw new Error('it has no line of a click. Name files such as clicks-2026-01-31.jsonl.');
}

/**
 * Reads the lines of a file, also of one that gzip has compressed. Node's readline is not used: it
 * also ends a line at U+2028, which a visitor may have sent.
 */
async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const stream = file.endsWith('.gz') ? pipeline(source, createGunzip(), () => {}) : source;
  let unfinished = '';
  for await (const text of stream.setEncoding('utf8')) {
    const lines = (unfinished + text).split('\n');
    unfinished = lines.pop() ?? '';
    yield* lines;
  }
  if (unfinished !== '') yield unfinished;
}
