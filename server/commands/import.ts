/**
 * `site import`: log lines back into the table, and the registrations of the version before.
 *
 * A line that is no click does not make the exit code 1, because a crash or a full disk leaves half a line. The command counts
 * such lines, and names the first ones. A file that it cannot read to the end makes it 1.
 */
import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { readBuiltSite } from '../built-site.ts';
import { clicksKeptSince } from '../clicks/delete-clicks.ts';
import { importClicks, type LoggedClick, readLine } from '../clicks/import-clicks.ts';
import { type Database, DatabaseFault } from '../database/database.ts';
import { nameOf } from '../database/name-of.ts';
import { lockFolder } from '../lock-folder.ts';
import {
  importRegistrations,
  readFormerFile,
  readFormerSchema,
} from '../registrations/import-registrations.ts';
import type { Settings } from '../settings.ts';
import { givenPath } from './given-path.ts';
import { withDatabase } from './with-database.ts';

/** Clicks of one transaction. */
const SLICE = 500;
/** A server that writes without a pause may let a transaction wait for too long. */
const ATTEMPTS = 10;
const PAUSE_MS = 1000;
/** A click's line has at most about 8 kB. */
const MAX_LINE_BYTES = 64 * 1024;
/** Lines that the command names, of those that are no clicks. */
const NAMED = 10;

interface ImportOptions {
  /** Folder of the build. */
  build: string;
  registrationsFromPostgres?: boolean;
}

interface Parts {
  db: Database;
  settings: Settings;
  site: Pick<BuiltSite, 'clickRetentionDays' | 'logIp'>;
  print: (text: string) => void;
}

/** @throws (rejects with) an Error that names the files that could not be read, after the others are imported */
export async function importFiles(
  files: string[],
  { build, registrationsFromPostgres }: ImportOptions,
  print: Parts['print'],
): Promise<void> {
  if (files.length === 0 && !registrationsFromPostgres)
    throw new Error('Name the files to import.');
  const site = readBuiltSite(build);
  const unread: string[] = [];
  const work = async (db: Database, settings: Settings) => {
    const parts = { db, settings, site, print };
    // An import may make it, so a wrong DATA_DIR must be visible.
    print(`Into ${settings.databaseUrls.map(nameOf).join(', ') || settings.files.database}\n`);
    if (registrationsFromPostgres && db.kind === 'sqlite')
      throw new Error('--registrations-from-postgres needs DATABASE_URL.');
    if (registrationsFromPostgres) await importFormer(await readFormerSchema(db), parts);
    for (const file of files.map(givenPath)) {
      print(`${file}\n`);
      await importFile(file, parts).catch((cause) => {
        if (cause instanceof DatabaseFault) throw cause;
        unread.push(`${file} cannot be read: ${cause.message}`);
      });
    }
  };
  await withDatabase(work, { mayMake: true });
  if (unread.length > 0) throw new Error(unread.join('\n'));
}

async function importFile(file: string, parts: Parts): Promise<void> {
  const head = await readHead(file);
  if (head.startsWith('SQLite format 3')) {
    const lock = join(dirname(file), 'clicks.lock');
    // The server of the version before would send the same mails.
    if (existsSync(lock)) lockFolder(lock)();
    return importFormer(readFormerFile(file), parts);
  }
  const source = createReadStream(file);
  const isPacked = head.startsWith('\x1f\x8b');
  return importLines(isPacked ? pipeline(source, createGunzip(), () => {}) : source, parts);
}

/** @returns the first bytes, one character each */
async function readHead(file: string): Promise<string> {
  await using handle = await open(file);
  const { buffer } = await handle.read({ buffer: Buffer.alloc(16) });
  return buffer.toString('latin1');
}

async function importLines(chunks: AsyncIterable<Buffer>, { db, site, print }: Parts) {
  const { clickRetentionDays: days, logIp } = site;
  const keptSince = days > 0 ? clicksKeptSince(days, Date.now()) : 0;
  const n = {
    ...{ 'lines read': 0, 'clicks stored': 0, 'already there': 0, forgotten: 0 },
    ...{ 'too old': 0, 'not clicks': 0 },
  };
  const named: string[] = [];
  let slice: LoggedClick[] = [];
  const store = async () => {
    const begun = performance.now();
    const clicks = slice;
    slice = [];
    const fresh = await storeSlice(db, clicks);
    for (const place of fresh)
      n[clicks[place]?.forgotten_at === null ? 'clicks stored' : 'forgotten'] += 1;
    n['already there'] += clicks.length - fresh.length;
    // The clicks of a running server come in between.
    await wait(performance.now() - begun);
  };
  try {
    for await (const line of linesOf(chunks)) {
      n['lines read'] += 1;
      const read = line === null ? { fault: 'longer than 64 kB' } : readLine(line, logIp);
      if ('fault' in read) {
        n['not clicks'] += 1;
        if (named.length < NAMED) named.push(`    line ${n['lines read']}: ${read.fault}\n`);
      } else if (read.click.received_at < keptSince) n['too old'] += 1;
      else if (slice.push(read.click) === SLICE) await store();
    }
  } finally {
    if (slice.length > 0) await store();
    print(`${listOf(n)}${named.join('')}`);
  }
  if (n['lines read'] > 0 && n['lines read'] === n['not clicks'])
    throw new Error('it has no line of a click.');
}

/** May store a slice twice, which changes nothing. @returns the places of those that were not in the table */
async function storeSlice(db: Database, clicks: LoggedClick[]): Promise<number[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(importClicks, clicks);
    } catch (cause) {
      if (attempt === ATTEMPTS) throw cause;
      process.stderr.write(`${(cause as Error).message}. The import tries again.\n`);
      await wait(PAUSE_MS);
    }
  }
}

/** Yields each line; null for one that is too long. Keeps one line in memory. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let line = Buffer.alloc(0);
  let isTooLong = false;
  const add = (part: Buffer) => {
    isTooLong ||= line.length + part.length > MAX_LINE_BYTES;
    line = isTooLong ? Buffer.alloc(0) : Buffer.concat([line, part]);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      add(chunk.subarray(start, end));
      yield isTooLong ? null : line.toString();
      [line, isTooLong, start] = [Buffer.alloc(0), false, end + 1];
    }
    add(chunk.subarray(start));
  }
  if (isTooLong || line.length > 0) yield isTooLong ? null : line.toString();
}

async function importFormer(
  former: Parameters<typeof importRegistrations>[0],
  { settings, db, print }: Parts,
): Promise<void> {
  const stored = await importRegistrations(former, settings, db);
  const known = former.length - stored;
  print(listOf({ 'registrations read': former.length, stored, 'already there': known }));
}

const listOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([what, count]) => `  ${what}: ${count}\n`)
    .join('');
