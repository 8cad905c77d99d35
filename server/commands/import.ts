/**
 * `site import`: log lines back into the table.
 *
 * A line that is no click does not make the exit code 1, because a crash or a full disk leaves half
 * a line. The command counts such lines, and names the first ones. A file that it cannot read to
 * the end makes it 1.
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

/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;
const RUN_AGAIN = 'Run the import again. It leaves out the clicks that are there.';
/** Upper bound of the lines that the command names, of those that are no clicks. */
const MOST_NAMED = 10;

/**
 * @throws (rejects with) an Error that names the files that could not be read, after the others are
 * imported
 */
export async function importFiles(files: string[], { build }: { build: string }) {
  const site = readBuiltSite(build);
  const unread: string[] = [];
  const settings = readSettings(process.env);
  mkdirSync(settings.dataDir, { recursive: true });
  await withDatabase(async (db) => {
    // An import may make the database, so the operator must see a wrong DATA_DIR.
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
  let slice: ClickRow[] = [];
  const store = async () => {
    const begun = performance.now();
    const clicks = slice;
    slice = [];
    for (const [i, result] of (await importClicks(db, clicks, Date.now())).entries()) {
      if (result !== 'logged') counts['already there'] += 1;
      else counts[clicks[i]?.forgotten_at ? 'forgotten' : 'clicks stored'] += 1;
    }
    // Rests as long as that took, so that the clicks of a running server come in between.
    await wait(performance.now() - begun);
  };
  try {
    for await (const line of lines) {
      counts['lines read'] += 1;
      const read = readClickLine(line, logIp, since);
      if ('fault' in read) {
        counts['not clicks'] += 1;
        if (faults.length < MOST_NAMED)
          faults.push(`    line ${counts['lines read']}: ${read.fault}`);
      } else if (read.click.received_at < keptSince) counts['too old'] += 1;
      else if (slice.push(read.click) === SLICE) await store();
    }
  } finally {
    if (slice.length > 0) await store();
    const printed = Object.entries(counts).map(([what, count]) => `  ${what}: ${count}`);
    print([...printed, ...faults].join('\n'));
  }
  if (counts['lines read'] > 0 && counts['lines read'] === counts['not clicks'])
    throw new Error('it has no line of a click.');
}

/** Node's readline would also end a line at characters that a visitor may have sent. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const stream = file.endsWith('.gz') ? pipeline(source, createGunzip(), () => {}) : source;
  let rest = '';
  for await (const text of stream.setEncoding('utf8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
