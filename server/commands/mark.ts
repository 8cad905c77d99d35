/**
 * `site mark`: takes a flood out of every figure, names what PostHog has of it, and takes a marking
 * back.
 */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { refKey } from '#contract/ref.ts';
import {
  type Marking,
  markClicks,
  markVisits,
  unmarkClicks,
  unmarkVisits,
} from '../clicks/mark-rows.ts';
import {
  countMatchingRows,
  countRowsInWeeksBefore,
  findEarlierPeriods,
  idsOfMarking,
  idsToMark,
  type RowFilter,
  type Table,
} from '../clicks/rows-to-mark.ts';
import { type Database, write } from '../database/database.ts';
import type { Reader } from '../database/open-reader.ts';
import { createNetworkTest, networkKey, plainAddress } from '../http/address.ts';
import { findSiteName } from '../http/referring-sites.ts';
import { MINUTE_MS } from '../time.ts';
import { print, withDatabase, withReader } from './common.ts';

/** The options of the command. Times are milliseconds since 1970. */
export interface Given {
  as?: Marking['mark'];
  ip?: string;
  ref?: string;
  class?: string;
  site?: string;
  since?: number;
  until?: number;
  only?: Table;
  yes?: boolean;
  undo?: string;
  list?: boolean;
}

type Confirm = () => Promise<boolean>;

interface Open {
  db: Database;
  reader: Reader;
}

export const mark = (given: Given, confirm: Confirm = askOperator): Promise<void> =>
  withDatabase((db, settings) =>
    withReader(settings, async (reader) => {
      if (given.list) return listMarkings(db);
      if (given.undo !== undefined) return undo({ db, reader }, given.undo);
      return markDescribed({ db, reader }, given, confirm);
    }),
  );

async function markDescribed(open: Open, given: Given, confirm: Confirm): Promise<void> {
  const { as, ip, ref, class: kind, site, since, only } = given;
  if (as === undefined) throw new Error('Name the mark: --as robot or --as internal.');
  if ([ip, ref, kind, site, since].every((one) => one === undefined))
    throw new Error('Name the rows: --ip, --ref, --class, --site or --since.');
  const tables = tablesOf(given);
  const described = describe(given);
  const found = await printFound(open.reader, tables, described, as);
  if (found === 0) throw new Error(`There is nothing to mark.${hintAt(described)}`);
  if (!given.yes && !(await confirm()))
    throw new Error('Nothing is marked. With --yes, the command marks them.');
  const marking = { id: randomBytes(4).toString('hex'), mark: as };
  await write(open.db, INSERT_MARKING, [marking.id, as, Date.now()]);
  print(`Marking ${marking.id}. To take it back: npm run -s site -- mark --undo ${marking.id}`);
  if (tables.includes('clicks')) await markAllClicks(open, marking, described);
  if (tables.includes('visits')) await markAllVisits(open, marking, described);
  if (only === undefined && ip !== undefined) print(NO_ADDRESSES);
}

/** Rows may have less than what the operator names, as site.json says. */
function hintAt({ ip, referringSite }: RowFilter): string {
  if (ip !== null) return ` Where site.json shortens addresses: --ip ${networkKey(ip)}`;
  if (referringSite === null) return '';
  return ' Rows have a site only with "referrerDetail": "domain" in site.json. Without it: --class';
}

const INSERT_MARKING = `
  INSERT INTO markings (id, marked_as, made_at)
  VALUES ($1, $2, $3)`;
const NO_ADDRESSES = 'Visits have no address. Mark them by --ref, --class, --site and --since.';

function tablesOf({ ip, only }: Given): Table[] {
  if (ip === undefined) return only ? [only] : ['clicks', 'visits'];
  if (only === 'visits') throw new Error(NO_ADDRESSES);
  return ['clicks'];
}

const isNetwork = (ip: string): boolean => ip.includes('/');

/** Visits have the minute as their time, so each period has whole minutes. */
function describe(given: Given): RowFilter {
  const { ip, ref, class: referringClass, site, since = 0, until = Date.now() } = given;
  return {
    since: Math.floor(since / MINUTE_MS) * MINUTE_MS,
    until: Math.ceil(until / MINUTE_MS) * MINUTE_MS,
    ip: ip === undefined || isNetwork(ip) ? null : plainAddress(ip),
    isInNetwork: ip !== undefined && isNetwork(ip) ? createNetworkTest(ip) : null,
    refKey: ref === undefined ? null : (refKey(ref) ?? ''),
    referringClass: referringClass ?? null,
    referringSite: site === undefined ? null : findSiteName(site),
  };
}

/**
 * Prints how many rows of each table the command would mark, and how many are usual.
 *
 * @returns their number
 */
async function printFound(
  reader: Reader,
  tables: readonly Table[],
  described: RowFilter,
  mark: Marking['mark'],
): Promise<number> {
  const { since, until } = described;
  const times = [since, until].map((ms) => new Date(ms).toISOString().replace(':00.000', ''));
  const period = since === 0 ? `until ${times[1]}` : `from ${times.join(' until ')}`;
  print(`It would mark as ${mark}, ${period}:`);
  let found = 0;
  for (const table of tables) {
    const count = await countMatchingRows(reader, table, described);
    found += count;
    if (since === 0) print(`  ${table}: ${count}. Without --since nothing is comparable.`);
    else {
      const usual = await countRowsInWeeksBefore(reader, table, described);
      print(`  ${table}: ${count}. Usual: ${usual.join(', ')}.`);
    }
  }
  if (since > 0)
    print(`Usual: in the same hours ${findEarlierPeriods(described).join(', ')} weeks before.`);
  return found;
}

/** @returns false without a terminal */
async function askOperator(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Mark them? (y/n) ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

const IN_POSTHOG = `PostHog has these events, or may get them in the batch on its way. Leave them out there by time and ref_key,
or send this list of uuids to its support for deletion:`;

async function markAllClicks({ db, reader }: Open, marking: Marking, described: RowFilter) {
  const posthogSince = await readPosthogSince(db);
  let [marked, sent] = [0, 0];
  await forEachSlice(idsToMark(reader, 'clicks', described), async (slice) => {
    const done = await db.transaction(markClicks, slice, marking, posthogSince, Date.now());
    marked += done.marked;
    if (sent === 0 && done.sent.length > 0) print(IN_POSTHOG);
    sent += done.sent.length;
    // Printed with each slice, because an interrupted command must have named what it has marked.
    for (const id of done.sent) print(`  ${id}`);
  });
  print(`Marked clicks: ${marked}, of which PostHog has at most ${sent}.`);
}

async function markAllVisits({ db, reader }: Open, marking: Marking, described: RowFilter) {
  let marked = 0;
  await forEachSlice(idsToMark(reader, 'visits', described), async (slice) => {
    marked += await db.transaction(markVisits, slice, marking);
  });
  const isSent = marked > 0 && (await readPosthogSince(db)) !== null;
  print(`Marked visits: ${marked}.${isSent ? ` ${VIEWS_IN_POSTHOG}` : ''}`);
}

const VIEWS_IN_POSTHOG =
  'No row of a visit leads to its $pageview in PostHog: leave those out there by time, ref_key, referring_class and referring_site.';

/** @returns since when PostHog gets clicks, in milliseconds since 1970; null: it gets none */
async function readPosthogSince(db: Database): Promise<number | null> {
  const [row] = await db.read('SELECT since FROM posthog_on');
  return row ? Number(row.since) : null;
}

/**
 * Calls `work` with each slice, and then rests as long as it took, so that the clicks of a running
 * server come in between.
 */
async function forEachSlice(
  slices: AsyncIterable<string[]>,
  work: (slice: string[]) => Promise<void>,
): Promise<void> {
  for await (const slice of slices) {
    const begun = performance.now();
    await work(slice);
    await wait(performance.now() - begun);
  }
}

async function undo({ db, reader }: Open, id: string): Promise<void> {
  const [row] = await db.read('SELECT marked_as FROM markings WHERE id = $1', [id]);
  if (!row) throw new Error(`There is no marking ${id}. --list names them.`);
  const marking: Marking = { id, mark: row.marked_as as Marking['mark'] };
  const posthogSince = await readPosthogSince(db);
  let [clicks, visits] = [0, 0];
  await forEachSlice(idsOfMarking(reader, 'clicks', id), async (slice) => {
    clicks += await db.transaction(unmarkClicks, slice, marking, posthogSince, Date.now());
  });
  await forEachSlice(idsOfMarking(reader, 'visits', id), async (slice) => {
    visits += await db.transaction(unmarkVisits, slice, marking);
  });
  // The marking itself goes last, so that an interrupted command can run again.
  await write(db, 'DELETE FROM markings WHERE id = $1', [id]);
  print(`Taken back: ${clicks} clicks, ${visits} visits. They count again.`);
  if (clicks > 0 && posthogSince !== null)
    print(
      'The running server sends the clicks to PostHog once more. PostHog merges those that it has.',
    );
}

const LIST_MARKINGS = `
  SELECT id, marked_as, made_at,
    (SELECT COUNT(*) FROM clicks WHERE marking = markings.id) AS clicks,
    (SELECT COUNT(*) FROM visits WHERE marking = markings.id) AS visits
  FROM markings
  ORDER BY made_at`;

async function listMarkings(db: Database): Promise<void> {
  for (const { id, marked_as, made_at, clicks, visits } of await db.read(LIST_MARKINGS)) {
    const at = new Date(Number(made_at)).toISOString();
    print(`${id}  ${at}  ${marked_as}  clicks: ${clicks}  visits: ${visits}`);
  }
}
