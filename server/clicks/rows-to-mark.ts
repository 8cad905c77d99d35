/** Finds the clicks and visits that an operator describes, of those without a mark. */
import type { Value } from '../database/database.ts';
import type { Reader } from '../database/open-reader.ts';
import { ID_AHEAD_MS } from '../http/browser-clock.ts';
import { DAY_MS } from '../time.ts';
import { firstIdOf, firstIdSince } from './id-time.ts';
import { IS_UNMARKED } from './mark-rows.ts';

export interface Described {
  /** Milliseconds since 1970. Visits have whole minutes, and so must these. */
  since: number;
  until: number;
  /** An address of clicks, in its plain form. */
  ip: string | null;
  /** Whether an address is in the network that the operator names; null: any address. */
  isInNetwork: ((address: string) => boolean) | null;
  /** Key of a ref. `none`: rows without a ref; empty: rows whose ref names no source. */
  refKey: string | null;
  /** The kind of site before the page. `none`: rows without a kind. */
  referringClass: string | null;
  /** The name of that site. `none`: rows without a name. */
  referringSite: string | null;
}

/** `from`: a table with the condition of its rows. `values`: those of the condition. */
type Rows = { from: string; values: Value[] };

/** Lower than all ids of clicks and of visits. */
const LOWEST_UUID = '00000000-0000-0000-0000-000000000000';
/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;

/** Ids of clicks begin with their time, so they bound the part of the table that is read. */
function clicksOf({ since, until, ip, ...others }: Described): Rows {
  const values: Value[] = [firstIdSince(since), firstIdOf(until + ID_AHEAD_MS), since, until];
  const conditions = [
    'id >= $1 AND id < $2 AND received_at >= $3 AND received_at < $4',
    IS_UNMARKED,
    ...(ip === null ? [] : [`$${values.push(ip)} IN (ip, remote_ip)`]),
    ...isOfSource(others, values),
  ];
  return { from: `clicks WHERE ${conditions.join(' AND ')}`, values };
}

function visitsOf({ since, until, ...others }: Described): Rows {
  const values: Value[] = [since, until];
  const conditions = [
    'viewed_at >= $1 AND viewed_at < $2',
    IS_UNMARKED,
    ...isOfSource(others, values),
  ];
  return { from: `visits WHERE ${conditions.join(' AND ')}`, values };
}

type Source = Pick<Described, 'refKey' | 'referringClass' | 'referringSite'>;

/** @returns SQL conditions, whose values it adds to the list */
const isOfSource = (
  { refKey, referringClass, referringSite }: Source,
  values: Value[],
): string[] => [
  ...equal('ref_key', refKey, values),
  ...equal('referring_class', referringClass, values),
  ...equal('referring_site', referringSite, values),
];

/** @returns the SQL condition, whose value it adds to the list; empty: any value is wanted */
const equal = (column: string, wanted: string | null, values: Value[]): string[] =>
  wanted === null ? [] : [`COALESCE(${column}, 'none') = $${values.push(wanted)}`];

const ROWS_OF = { clicks: clicksOf, visits: visitsOf };
export type Table = keyof typeof ROWS_OF;

/** The columns with a row's addresses. A visit has no address. */
const ADDRESS_COLUMNS = { clicks: 'ip, remote_ip', visits: 'NULL, NULL' };
type Addresses = [ip: string | null, remoteIp: string | null];

const isDescribed = ({ isInNetwork }: Described, addresses: Addresses): boolean =>
  isInNetwork === null || addresses.some((address) => address !== null && isInNetwork(address));

export async function countRows(reader: Reader, table: Table, described: Described) {
  const { from, values } = ROWS_OF[table](described);
  const addresses = ADDRESS_COLUMNS[table];
  let count = 0;
  // SQLite cannot compare networks: the query counts by address, and isDescribed chooses.
  const byAddress = `SELECT COUNT(*), ${addresses} FROM ${from} GROUP BY ${addresses}`;
  const sql = described.isInNetwork ? byAddress : `SELECT COUNT(*), NULL, NULL FROM ${from}`;
  await reader.each(sql, values, ([n, ...ofRows]: [number, ...Addresses]) => {
    if (isDescribed(described, ofRows)) count += Number(n);
  });
  return count;
}

const WEEK_MS = 7 * DAY_MS;

/**
 * @returns how many weeks before a period four such periods begin, none of which overlaps another
 */
export function weeksBefore({ since, until }: Described): number[] {
  const weeks = Math.ceil((until - since) / WEEK_MS);
  return [1, 2, 3, 4].map((n) => n * weeks);
}

/** @returns the numbers of such rows in the periods of `weeksBefore` */
export async function countUsual(reader: Reader, table: Table, described: Described) {
  const counts: number[] = [];
  for (const weeks of weeksBefore(described)) {
    const since = described.since - weeks * WEEK_MS;
    const until = described.until - weeks * WEEK_MS;
    counts.push(await countRows(reader, table, { ...described, since, until }));
  }
  return counts;
}

type PlacedRow = [id: string, at: string | number, ...Addresses];

/** Yields slices of ids, the oldest first. A row that is marked meanwhile is in no later slice. */
export async function* idsToMark(reader: Reader, table: Table, described: Described) {
  const { from, values } = ROWS_OF[table](described);
  // Many visits have the time of one minute, so the next slice begins with the last row's time.
  const [place, compare] = table === 'clicks' ? ['id', '>'] : ['viewed_at', '>='];
  const sql = `
    SELECT id, ${place}, ${ADDRESS_COLUMNS[table]}
    FROM ${from} AND ${place} ${compare} $${values.length + 1}
    ORDER BY ${place}
    LIMIT ${SLICE}`;
  let last: string | number = table === 'clicks' ? LOWEST_UUID : 0;
  for (;;) {
    const ids: string[] = [];
    let read = 0;
    await reader.each(sql, [...values, last], ([id, at, ...addresses]: PlacedRow) => {
      if (isDescribed(described, addresses)) ids.push(id);
      last = at;
      read += 1;
    });
    if (ids.length > 0) yield ids;
    if (read < SLICE) return;
  }
}

/** Yields slices of the ids of a marking. */
export async function* idsOfMarking(reader: Reader, table: Table, id: string) {
  const sql = `
    SELECT id
    FROM ${table}
    WHERE marking = $1 AND id > $2
    ORDER BY id
    LIMIT ${SLICE}`;
  for (let last = LOWEST_UUID; ; ) {
    const ids: string[] = [];
    await reader.each(sql, [id, last], ([one]: [string]) => ids.push(one));
    const end = ids.at(-1);
    if (end === undefined) return;
    yield ids;
    last = end;
  }
}
