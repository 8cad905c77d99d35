/** The clicks and visits that a report counts: those of a period, in the team's time zone, under its filters. */
import { firstIdOf, firstIdSince, ID_AHEAD_MS } from '../clicks/id-time.ts';
import type { Value } from '../database/database.ts';
import { clickSql, DIMENSIONS, type Filters, visitSql } from './dimensions.ts';
import type { Period } from './question.ts';

export interface Selection {
  period: Period;
  filters: Filters;
  /** IANA's name. */
  timeZone: string;
}

/** SQL that SQLite and PostgreSQL run. */
export interface SelectedRows {
  /** Time in the team's zone, in milliseconds, as if its clocks had run since 1970. */
  local: string;
  /** Value of each dimension; null: the rows have none. */
  columns: ReturnType<typeof visitSql>;
  /** Robots and the team's own are among them. */
  where: string;
  /** Of `$1`, `$2` … */
  values: Value[];
}

/** Robots and the team's own visits count nowhere. */
export const COUNTS = 'NOT is_bot AND NOT is_internal';
/** A click without a known visit: the site does not count the visits of private visitors and of pings. */
export const IS_UNRATED = "(is_private OR via = 'ping')";

export function clicksOf(selection: Selection): SelectedRows {
  const { since, until } = selection.period;
  const local = localTime('received_at', selection);
  // Ids bound the part of the table that the database reads.
  const bounds = 'id >= $1 AND id < $2 AND received_at >= $3 AND received_at < $4';
  const values = [firstIdSince(since), firstIdOf(until + ID_AHEAD_MS), since, until];
  return { local, ...select(selection, clickSql(local), bounds, values) };
}

export function visitsOf(selection: Selection): SelectedRows {
  const { since, until } = selection.period;
  const local = localTime('viewed_at', selection);
  const bounds = 'viewed_at >= $1 AND viewed_at < $2';
  return { local, ...select(selection, visitSql(local), bounds, [since, until]) };
}

/** @param values of the bounds; the filters add theirs */
function select(
  { filters }: Selection,
  columns: SelectedRows['columns'],
  bounds: string,
  values: Value[],
) {
  const conditions = DIMENSIONS.map((name) => {
    const [value, column] = [filters[name], columns[name]];
    return value === undefined || column === null ? '' : ` AND ${column} = $${values.push(value)}`;
  });
  return { columns, where: bounds + conditions.join(''), values };
}

/** Adds the zone's offset to a time in UTC. It changes with the clocks. */
function localTime(column: string, { timeZone, period: { since, until } }: Selection): string {
  const changes: string[] = [];
  let from = Temporal.Instant.fromEpochMilliseconds(since).toZonedDateTimeISO(timeZone);
  for (;;) {
    const next = from.getTimeZoneTransition('next');
    const offset = from.offsetNanoseconds / 1e6;
    if (next === null || next.epochMilliseconds >= until)
      return `(${column} + ${changes.length > 0 ? `CASE ${changes.join(' ')} ELSE ${offset} END` : offset})`;
    changes.push(`WHEN ${column} < ${next.epochMilliseconds} THEN ${offset}`);
    from = next;
  }
}
