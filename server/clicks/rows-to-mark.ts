/**
 * Finds the rows of `clicks` and `visits` that `site mark` should mark, among those without a mark.
 */
import type { Value } from '../database/database.ts';
import type { Reader } from '../database/open-reader.ts';
import { ID_AHEAD_MS } from '../http/browser-clock.ts';
import { DAY_MS } from '../time.ts';
import { lowestIdAt, lowestIdReceivedSince } from './id-time.ts';
import { IS_UNMARKED } from './mark-rows.ts';

/** Which rows an operator wants to mark. */
export interface RowFilter {
  /** Milliseconds since 1970, rounded to a minute, because the times of visits are. */
  since: number;
  until: number;
  /** A visitor's address in its plain form (`plainAddress`); null: any address. */
  ip: string | null;
  /** Whether an address is in the network that the operator names; null: any address. */
  isInNetwork: ((address: string) => boolean) | null;
  /** Key of a ref; null: any. `none`: rows without a ref. Empty: rows whose ref names no source. */
  refKey: string | null;
  /** The class of the referring site; null: any. `none`: rows without a class. */
  referringClass: string | null;
  /** The name of the referring site; null: any. `none`: rows without a name. */
  referringSite: string | null;
}

/**
 * `from`: the part of a SELECT from the table's name to the conditions. `values`: its parameters.
 */
type RowSelection = { from: string; values: Value[] };

/** Lower than every id of a row. */
const LOWEST_UUID = '00000000-0000-0000-0000-000000000000';
/** Upper bound for the ids that are yielded together, and marked in one transaction. */
const MAX_ROWS_PER_TRANSACTION = 500;

/**
 * Selects clicks. The bounds on `id` let the database read only that part of the table, because ids
 * begin with their time.
 */
function selectClicks({ since, until, ip, ...others }: RowFilter): RowSelection {
  const values: Value[] = [
    lowestIdReceivedSince(since),
    lowestIdAt(until + ID_AHEAD_MS),
    since,
    until,
  ];
  const conditions = [
    'id >= $1 AND id < $2 AND received_at >= $3 AND received_at < $4',
    IS_UNMARKED,
    ...(ip === null ? [] : [`$${values.push(ip)} IN (ip, remote_ip)`]),
    ...makeSourceConditions(others, values),
  ];
  return { from: `clicks WHERE ${conditions.join(' AND ')}`, values };
}

/** Selects visits. */
function selectVisits({ since, until, ...others }: RowFilter): RowSelection {
  const values: Value[] = [since, until];
  const conditions = [
    'viewed_at >= $1 AND viewed_at < $2',
    IS_UNMARKED,
    ...makeSourceConditions(others, values),
  ];
  return { from: `visits WHERE ${conditions.join(' AND ')}`, values };
}

type Source = Pick<RowFilter, 'refKey' | 'referringClass' | 'referringSite'>;

/** Returns the SQL conditions for the source of a row, and appends their values to `values`. */
const makeSourceConditions = (
  { refKey, referringClass, referringSite }: Source,
  values: Value[],
): string[] => [
  ...makeEqualityCondition('ref_key', refKey, values),
  ...makeEqualityCondition('referring_class', referringClass, values),
  ...makeEqualityCondition('referring_site', referringSite, values),
];

/**
 * Returns the SQL condition that a column has the wanted value, and appends the value to `values`.
 * Returns none if any value will do.
 */
const makeEqualityCondition = (column: string, wanted: string | null, values: Value[]): string[] =>
  wanted === null ? [] : [`COALESCE(${column}, 'none') = $${values.push(wanted)}`];

const SELECT_FROM = { clicks: selectClicks, visits: selectVisits };
export type MarkedTable = keyof typeof SELECT_FROM;

/** The columns with the addresses of a row. A visit has none. */
const ADDRESS_COLUMNS = { clicks: 'ip, remote_ip', visits: 'NULL, NULL' };
type Addresses = [ip: string | null, remoteIp: string | null];

/** Whether a row's addresses match the filter's network. Always true if the filter has none. */
const isInFilteredNetwork = ({ isInNetwork }: RowFilter, addresses: Addresses): boolean =>
  isInNetwork === null || addresses.some((address) => address !== null && isInNetwork(address));

/** Counts the rows that match a filter. */
export async function countMatchingRows(reader: Reader, table: MarkedTable, filter: RowFilter) {
  const { from, values } = SELECT_FROM[table](filter);
  const addresses = ADDRESS_COLUMNS[table];
  let count = 0;
  // SQLite cannot compare networks. So the query counts by address, and this function filters.
  const byAddress = `SELECT COUNT(*), ${addresses} FROM ${from} GROUP BY ${addresses}`;
  const sql = filter.isInNetwork ? byAddress : `SELECT COUNT(*), NULL, NULL FROM ${from}`;
  await reader.each(sql, values, ([n, ...rowAddresses]: [number, ...Addresses]) => {
    if (isInFilteredNetwork(filter, rowAddresses)) count += Number(n);
  });
  return count;
}

const WEEK_MS = 7 * DAY_MS;

/**
 * Returns how many weeks earlier four periods of the same length begin. None of them overlaps the
 * period or another one.
 */
export function findEarlierPeriods({ since, until }: RowFilter): number[] {
  const weeks = Math.ceil((until - since) / WEEK_MS);
  return [1, 2, 3, 4].map((n) => n * weeks);
}

/** Counts the matching rows in each of the four earlier periods, to compare with. */
export async function countRowsInWeeksBefore(
  reader: Reader,
  table: MarkedTable,
  filter: RowFilter,
) {
  const counts: number[] = [];
  for (const weeks of findEarlierPeriods(filter)) {
    const since = filter.since - weeks * WEEK_MS;
    const until = filter.until - weeks * WEEK_MS;
    counts.push(await countMatchingRows(reader, table, { ...filter, since, until }));
  }
  return counts;
}

type RowInOrder = [id: string, at: string | number, ...Addresses];

/**
 * Yields the ids of matching rows in slices, the oldest first. A row that is marked meanwhile is
 * not yielded again.
 */
export async function* idsToMark(reader: Reader, table: MarkedTable, filter: RowFilter) {
  const { from, values } = SELECT_FROM[table](filter);
  // Many visits have the same minute. So the next slice of visits begins with the last row's time.
  const [orderColumn, comparison] = table === 'clicks' ? ['id', '>'] : ['viewed_at', '>='];
  const sql = `
    SELECT id, ${orderColumn}, ${ADDRESS_COLUMNS[table]}
    FROM ${from} AND ${orderColumn} ${comparison} $${values.length + 1}
    ORDER BY ${orderColumn}
    LIMIT ${MAX_ROWS_PER_TRANSACTION}`;
  let last: string | number = table === 'clicks' ? LOWEST_UUID : 0;
  for (;;) {
    const ids: string[] = [];
    let rowsRead = 0;
    await reader.each(sql, [...values, last], ([id, at, ...addresses]: RowInOrder) => {
      if (isInFilteredNetwork(filter, addresses)) ids.push(id);
      last = at;
      rowsRead += 1;
    });
    if (ids.length > 0) yield ids;
    if (rowsRead < MAX_ROWS_PER_TRANSACTION) return;
  }
}

/** Yields the ids of a marking's rows in slices. */
export async function* idsOfMarking(reader: Reader, table: MarkedTable, id: string) {
  const sql = `
    SELECT id
    FROM ${table}
    WHERE marking = $1 AND id > $2
    ORDER BY id
    LIMIT ${MAX_ROWS_PER_TRANSACTION}`;
  for (let last = LOWEST_UUID; ; ) {
    const ids: string[] = [];
    await reader.each(sql, [id, last], ([one]: [string]) => ids.push(one));
    const lastId = ids.at(-1);
    if (lastId === undefined) return;
    yield ids;
    last = lastId;
  }
}
