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
 * Two periods of 90 days. Alerts need 120: eight weeks before a window of four, and as much again
 * for what was told.
 */
const DAYS = 180;
/** Four weeks say what is usual in an hour. */
export const DAYS_OF_HOURS = 28;

/**
 * A click on a later page of a visit has this class, and its visit has another one. Without visits
 * a class has no rate, so these clicks count to the class with the most visits.
 */
const OWN = 'own';

type Counted = [day: number, ...values: string[]];

/**
 * @param day the last one: 2026-01-31
 * @returns also a row of nothing for that day, because nothing may have come
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
    const known = [refs.has(ref) ? ref : NONE, campaigns.has(campaign) ? campaign : NONE];
    const row = rowOf([at, ...known, ...others], dayOf(at * DAY_MS));
    [row.visits, row.clicks, row.rated] = columns.slice(-3).map(Number) as [number, number, number];
    rows.push(row);
  });
  return rows;
}

const rowOf = ([, ref = '', campaign = '', ...others]: Counted, day: string): CountRow => {
  const [kind = '', device = '', language = '', cta = ''] = others;
  const values = { ref, campaign, class: kind === OWN ? 'direct' : kind, device, language, cta };
  return { day, ...values, visits: 0, clicks: 0, rated: 0 };
};

/**
 * Strangers can send any number of names. Those after the first thousand are no links or campaigns
 * here.
 */
async function readLargest(reader: Reader, name: 'ref' | 'campaign', selection: Selection) {
  const { sql, values } = figureQuery(name, selection, reader.kind);
  const rows = await reader.all<[key: string]>(sql, values);
  return new Set(rows.map(([key]) => key));
}

/**
 * @param now milliseconds since 1970
 * @param days before the day of `now`
 * @returns the full hours before, also those without a visit
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

/** Hours since 1970, as if the team's clocks had run since then. */
const localHourOf = ({ epochMilliseconds, offsetNanoseconds }: Temporal.ZonedDateTime): number =>
  Math.floor((epochMilliseconds + offsetNanoseconds / 1e6) / HOUR_MS);

function selectionOf(
  timeZone: string,
  [begin, end]: [Temporal.ZonedDateTime, Temporal.ZonedDateTime],
): Selection {
  const period = { since: begin.epochMilliseconds, until: end.epochMilliseconds };
  return { period, length: DAYS, filters: {}, timeZone, isShared: false };
}
