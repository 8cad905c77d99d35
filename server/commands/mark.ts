/**
 * `site mark`: marks the clicks and visits of a flood (by a robot, or by the team) so that no
 * figure counts them, lists their events at PostHog, and undoes a marking.
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
  type MarkedTable,
  type RowFilter,
} from '../clicks/rows-to-mark.ts';
import { type Database, write } from '../database/database.ts';
import type { Reader } from '../database/open-reader.ts';
import { createNetworkTest, networkKey, plainAddress } from '../http/address.ts';
import { findSiteName } from '../http/referring-sites.ts';
import { MINUTE_MS } from '../time.ts';
import { print, withDatabase, withReader } from './common.ts';

/** Options of the command. Times are milliseconds since 1970. */
export interface MarkOptions {
  as?: Marking['mark'];
  ip?: string;
  ref?: string;
  class?: string;
  site?: string;
  since?: number;
  until?: number;
  only?: MarkedTable;
  yes?: boolean;
  undo?: string;
  list?: boolean;
}

type Confirm = () => Promise<boolean>;

/** Two connections: one writes, the other one is for long queries. */
interface Connections {
  db: Database;
  reader: Reader;
}

/** Lists the markings, undoes one, or marks the described rows, after the operator has agreed. */
export const mark = (options: MarkOptions, confirm: Confirm = askOperator): Promise<void> =>
  withDatabase((db, settings) =>
    withReader(settings, async (reader) => {
      if (options.list) return listMarkings(db);
      if (options.undo !== undefined) return undoMarking({ db, reader }, options.undo);
      return markDescribed({ db, reader }, options, confirm);
    }),
  );

/** Prints what it would mark, asks the operator, and marks it. */
async function markDescribed(
  connections: Connections,
  options: MarkOptions,
  confirm: Confirm,
): Promise<void> {
  const { as, ip, ref, class: kind, site, since, only } = options;
  if (as === undefined) throw new Error('Name the mark: --as robot or --as internal.');
  if ([ip, ref, kind, site, since].every((option) => option === undefined))
    throw new Error('Name the rows: --ip, --ref, --class, --site or --since.');
  const tables = tablesOf(options);
  const described = describeRows(options);
  const found = await printFound(connections.reader, tables, described, as);
  if (found === 0) throw new Error(`There is nothing to mark.${hintFor(described)}`);
  if (!options.yes && !(await confirm()))
    throw new Error('Nothing is marked. With --yes, the command marks them.');
  const marking = { id: randomBytes(4).toString('hex'), mark: as };
  await write(connections.db, INSERT_MARKING, [marking.id, as, Date.now()]);
  print(`Marking ${marking.id}. To take it back: npm run -s site -- mark --undo ${marking.id}`);
  if (tables.includes('clicks')) await markAllClicks(connections, marking, described);
  if (tables.includes('visits')) await markAllVisits(connections, marking, described);
  if (only === undefined && ip !== undefined) print(NO_ADDRESSES);
}

/** Returns a hint why no row was found: with some settings of site.json, rows have less data. */
function hintFor({ ip, referringSite }: RowFilter): string {
  if (ip !== null) return ` Where site.json shortens addresses: --ip ${networkKey(ip)}`;
  if (referringSite === null) return '';
  return ' Rows have a site only with "referrerDetail": "domain" in site.json. Without it: --class';
}

const INSERT_MARKING = `
  INSERT INTO markings (id, marked_as, made_at)
  VALUES ($1, $2, $3)`;
const NO_ADDRESSES = 'Visits have no address. Mark them by --ref, --class, --site and --since.';

/** Returns the tables whose rows are marked. Visits have no address. */
function tablesOf({ ip, only }: MarkOptions): MarkedTable[] {
  if (ip === undefined) return only ? [only] : ['clicks', 'visits'];
  if (only === 'visits') throw new Error(NO_ADDRESSES);
  return ['clicks'];
}

const isNetwork = (ip: string): boolean => ip.includes('/');

/**
 * Converts the options into the conditions of the queries. Periods are whole minutes, because the
 * time of a visit is stored as a minute.
 */
function describeRows(options: MarkOptions): RowFilter {
  const { ip, ref, class: referringClass, site, since = 0, until = Date.now() } = options;
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
 * Prints how many rows of each table the command would mark, and how many the same hours of earlier
 * weeks have.
 *
 * @returns the number of rows that it would mark
 */
async function printFound(
  reader: Reader,
  tables: readonly MarkedTable[],
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

/** Asks the operator at the terminal. @returns false: the answer is no, or there is no terminal */
async function askOperator(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Mark them? (y/n) ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

const IN_POSTHOG = `PostHog has these events, or may get them in the batch on its way. Leave them out there by time and ref_key,
or send this list of uuids to its support for deletion:`;

/** Marks the clicks in batches, and prints the ids that PostHog has. */
async function markAllClicks({ db, reader }: Connections, marking: Marking, described: RowFilter) {
  const posthogSince = await readPosthogSince(db);
  let [marked, sent] = [0, 0];
  await forEachBatch(idsToMark(reader, 'clicks', described), async (batch) => {
    const result = await db.transaction(markClicks, batch, marking, posthogSince, Date.now());
    marked += result.marked;
    if (sent === 0 && result.sent.length > 0) print(IN_POSTHOG);
    sent += result.sent.length;
    // Printed after each batch, so that an interrupted command has named all that it has marked.
    for (const id of result.sent) print(`  ${id}`);
  });
  print(`Marked clicks: ${marked}, of which PostHog has at most ${sent}.`);
}

/** Marks the visits in batches. */
async function markAllVisits({ db, reader }: Connections, marking: Marking, described: RowFilter) {
  let marked = 0;
  await forEachBatch(idsToMark(reader, 'visits', described), async (batch) => {
    marked += await db.transaction(markVisits, batch, marking);
  });
  const isSent = marked > 0 && (await readPosthogSince(db)) !== null;
  print(`Marked visits: ${marked}.${isSent ? ` ${VIEWS_IN_POSTHOG}` : ''}`);
}

const VIEWS_IN_POSTHOG =
  'No row of a visit leads to its $pageview in PostHog: leave those out there by time, ref_key, referring_class and referring_site.';

/** Reads since when PostHog gets clicks, in milliseconds since 1970. Null: it gets none. */
async function readPosthogSince(db: Database): Promise<number | null> {
  const [row] = await db.read('SELECT since FROM posthog_on');
  return row ? Number(row.since) : null;
}

/**
 * Calls `work` with each batch of ids, and then pauses for as long as that took, so that the
 * running server can store its clicks.
 */
async function forEachBatch(
  batches: AsyncIterable<string[]>,
  work: (batch: string[]) => Promise<void>,
): Promise<void> {
  for await (const batch of batches) {
    const startedAt = performance.now();
    await work(batch);
    await wait(performance.now() - startedAt);
  }
}

/** Removes a marking from its rows, so that they count again. */
async function undoMarking({ db, reader }: Connections, id: string): Promise<void> {
  const [row] = await db.read('SELECT marked_as FROM markings WHERE id = $1', [id]);
  if (!row) throw new Error(`There is no marking ${id}. --list names them.`);
  const marking: Marking = { id, mark: row.marked_as as Marking['mark'] };
  const posthogSince = await readPosthogSince(db);
  let [clicks, visits] = [0, 0];
  await forEachBatch(idsOfMarking(reader, 'clicks', id), async (batch) => {
    clicks += await db.transaction(unmarkClicks, batch, marking, posthogSince, Date.now());
  });
  await forEachBatch(idsOfMarking(reader, 'visits', id), async (batch) => {
    visits += await db.transaction(unmarkVisits, batch, marking);
  });
  // The row of the marking is deleted last, so that an interrupted command can run again.
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

/** Prints each marking with the number of its rows. */
async function listMarkings(db: Database): Promise<void> {
  for (const { id, marked_as, made_at, clicks, visits } of await db.read(LIST_MARKINGS)) {
    const at = new Date(Number(made_at)).toISOString();
    print(`${id}  ${at}  ${marked_as}  clicks: ${clicks}  visits: ${visits}`);
  }
}
