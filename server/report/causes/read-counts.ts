/** Reads the table of counts, and the visits of each hour, from the database. */
import type { Reader } from '../../database/open-reader.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../time.ts';
import { figureQuery } from '../figures/figure-query.ts';
import type { Selection } from '../figures/selection.ts';
import { dateTimeOf } from '../question.ts';
import { NONE } from './combination.ts';
import type { CountRow } from './counts.ts';
import { countsQuery, hoursQuery } from './counts-query.ts';
import type { HourRow } from './find-hole.ts';

/**
 * Days of the table of counts. The report compares two periods of 90 days. Alerts need 120: a
 * window of 28, the baseline of 56 before it, and days left out for changes that alerts have
 * mailed.
 */
const DAYS = 180;
/** Number of days whose hours are read. Four weeks say what is usual in an hour (find-hole.ts). */
export const DAYS_OF_HOURS = 28;

/**
 * Class of clicks on a later page of a visit, whose visit has the class of its referring site. A
 * class without visits has no click rate, so these clicks count to the class with the most visits.
 */
const CLASS_OF_LATER_PAGES = 'own';

type Counted = [day: number, ...values: string[]];

/**
 * Reads the rows of the table of counts.
 *
 * @param day the last day: 2026-01-31
 * @returns rows in any order. A row of zeros stands for the last day, which may have no visit
 */
export async function readCounts(
  reader: Reader,
  timeZone: string,
  day: string,
): Promise<CountRow[]> {
  const next = Temporal.PlainDate.from(day).add({ days: 1 });
  const selection = selectionOf(timeZone, [
    next.subtract({ days: DAYS }).toZonedDateTime(timeZone),
    next.toZonedDateTime(timeZone),
  ]);
  const [refs, campaigns] = [
    await readLargest(reader, 'ref', selection),
    await readLargest(reader, 'campaign', selection),
  ];
  const rows: CountRow[] = [rowOf([0, NONE, NONE, NONE, NONE, NONE, ''], day)];
  const { sql, values } = countsQuery(selection);
  await reader.each<[...Counted, number, number, number]>(sql, values, (columns) => {
    const [at, ref = '', campaign = '', ...others] = columns as unknown as [number, ...string[]];
    const keptValues = [refs.has(ref) ? ref : NONE, campaigns.has(campaign) ? campaign : NONE];
    const row = rowOf([at, ...keptValues, ...others], dayOf(at * DAY_MS));
    [row.visits, row.clicks, row.rated] = columns.slice(-3).map(Number) as [number, number, number];
    rows.push(row);
  });
  return rows;
}

/** Makes a row without counts from the columns of the statement. */
const rowOf = ([, ref = '', campaign = '', ...others]: Counted, day: string): CountRow => {
  const [kind = '', device = '', language = '', cta = ''] = others;
  const values = {
    ref,
    campaign,
    class: kind === CLASS_OF_LATER_PAGES ? 'direct' : kind,
    device,
    language,
    cta,
  };
  return { day, ...values, visits: 0, clicks: 0, rated: 0 };
};

/**
 * Returns the thousand refs, or campaigns, with most clicks. Strangers can send any number of
 * others: those count as `none`.
 */
async function readLargest(reader: Reader, name: 'ref' | 'campaign', selection: Selection) {
  const { sql, values } = figureQuery(name, selection, reader.kind);
  const rows = await reader.all<[key: string]>(sql, values);
  return new Set(rows.map(([key]) => key));
}

/**
 * Reads the visits of each full hour before a time.
 *
 * @param now milliseconds since 1970
 * @param days number of days before the day of `now`, from whose first hour on
 * @returns all hours in order, also those without a visit
 */
export async function readHours(
  reader: Reader,
  timeZone: string,
  now: number,
  days = DAYS_OF_HOURS,
): Promise<HourRow[]> {
  const end = dateTimeOf(now, timeZone).round({ smallestUnit: 'hour', roundingMode: 'floor' });
  const begin = end.startOfDay().subtract({ days });
  const { sql, values } = hoursQuery(selectionOf(timeZone, [begin, end]));
  const rows = await reader.all<[hour: number, visits: number]>(sql, values);
  const visits = new Map(rows);
  const [first, last] = [begin, end].map(localHourOf) as [number, number];
  return Array.from({ length: last - first }, (_, i) => {
    const hour = new Date((first + i) * HOUR_MS).toISOString().slice(0, 13);
    return { hour, visits: visits.get(first + i) ?? 0 };
  });
}

/** Returns hours since 1970 in local time, as the SQL counts them: UTC hours plus the offset. */
const localHourOf = ({ epochMilliseconds, offsetNanoseconds }: Temporal.ZonedDateTime): number =>
  Math.floor((epochMilliseconds + offsetNanoseconds / 1e6) / HOUR_MS);

function selectionOf(
  timeZone: string,
  [begin, end]: [Temporal.ZonedDateTime, Temporal.ZonedDateTime],
): Selection {
  const period = { since: begin.epochMilliseconds, until: end.epochMilliseconds };
  return { period, length: DAYS, filters: {}, timeZone, isShared: false };
}
