/**
 * Remembers the changes that alerts have mailed. A mailed change is part of the expectation: it is
 * not mailed again, its days are no part of a baseline, and one mail says when it has ended.
 */

import { baselineBefore, type Measure } from './baseline.ts';
import type { Slice } from './combination.ts';
import { range, type Series, seriesOf, type Table } from './counts.ts';
import { expectationOf } from './expectation.ts';

/** A mailed change, as the database stores it (JSON in `report_told`). */
export interface MailedChange {
  slice: Slice;
  measure: Measure;
  /** Observed count divided by the expected one, on the day of the mail. Below 1: a fall. */
  ratio: number;
  /** Usual amount before the change: visits a day, or clicks per 100 visits. */
  usual: number;
  /** First day of the change: 2026-01-31. */
  since: string;
  /** The day that was looked at when the change was mailed. */
  toldOn: string;
  /** First day after the change. null: the change goes on. */
  ended: string | null;
}

/** Days after which a change counts as the new level. The report still names it. */
const NEW_LEVEL_DAYS = 28;
/** Lengths of the windows, in days, in which the end of a change is looked for. */
const WINDOWS = [1, 2, 3, 5, 7];
/**
 * Log-likelihood ratio from which on a change has ended: the former level is 1,000 times as likely.
 */
const END_EVIDENCE = Math.log(1000);
/**
 * Exponent that shrinks the ratio of a change toward 1 (winner's curse): changes are mailed on the
 * day on which chance makes them look large enough.
 */
const SHRINK = 0.7;
/** Greatest factor between days and the former level that still counts as the former level. */
const NEAR_FACTOR = 1.35;
/**
 * Lower bound for expectations that a count is divided by. Nothing is expected of a new campaign,
 * and half a visit or click makes its ratio finite.
 */
export const LEAST_EXPECTED = 0.5;

/** Returns the changes that go on and do not count as the new level. @param date 2026-01-31 */
export const openChangesOn = (told: readonly MailedChange[], date: string): MailedChange[] =>
  told.filter(({ ended, since }) => ended === null && ageOf(since, date) < NEW_LEVEL_DAYS);

/** Returns the number of days between two dates. */
const ageOf = (since: string, date: string): number =>
  Temporal.PlainDate.from(since).until(Temporal.PlainDate.from(date)).days;

/**
 * Makes the test for days that may be in a baseline.
 *
 * @param today index of the last day that is over
 * @returns a function of a day's index. False for days of changes that have ended, and for days
 * before a change that has become the new level
 */
export function makeComparableDayTest(table: Table, told: readonly MailedChange[], today: number) {
  const openChanges = openChangesOn(told, dateAt(table.days, today));
  const closed = told.filter((change) => !openChanges.includes(change));
  return (day: number): boolean => {
    const date = dateAt(table.days, day);
    return !closed.some(({ since, ended }) =>
      ended === null ? date < since : date >= since && date < ended,
    );
  };
}

const dateAt = (days: readonly string[], day: number): string => days[day] ?? '';

/** Sets `ended` of each change that has ended. @param day index of the last day that is over */
export const endMailedChanges = (
  table: Table,
  day: number,
  told: readonly MailedChange[],
): MailedChange[] =>
  told.map((change) => {
    if (change.ended !== null) return change;
    const others = told.filter((other) => other !== change);
    return { ...change, ended: findFirstDayAsBefore(table, day, change, others) };
  });

/**
 * Finds the first day after a change: the days since then fit the level before the change far
 * better than the changed level.
 *
 * @returns 2026-01-31; null: the change goes on
 */
function findFirstDayAsBefore(
  table: Table,
  day: number,
  change: MailedChange,
  others: readonly MailedChange[],
): string | null {
  const since = table.days.indexOf(change.since);
  const mailed = table.days.indexOf(change.toldOn);
  const baseline = baselineBefore(table, since, makeComparableDayTest(table, others, day));
  if (baseline === null) return null;
  const series = seriesOf(table, change.slice);
  const first = WINDOWS.map((length) => day - length + 1).find(
    (start) =>
      start > mailed && isAsBefore(table, series, change, { baseline, window: range(start, day) }),
  );
  return first === undefined ? null : dateAt(table.days, first);
}

/**
 * Whether a window fits the level before a change, by the log-likelihood ratio of the two levels.
 */
function isAsBefore(
  table: Table,
  series: Series,
  { measure, ratio }: MailedChange,
  compared: Parameters<typeof expectationOf>[3],
): boolean {
  const { observed, ...usual } = expectationOf(table, series, measure, compared);
  const expected = Math.max(usual.expected, LEAST_EXPECTED);
  if (observed >= expected * NEAR_FACTOR + 1 || (observed + 1) * NEAR_FACTOR <= expected)
    return false;
  const changed = Math.max(ratio, 0.01) ** SHRINK;
  const evidence = expected * (changed - 1) - observed * Math.log(changed);
  // The ratio is that of Poisson distributions. Days vary more, so it is divided by the factor by
  // which their variance is larger.
  const { overdispersion } = compared.baseline;
  return (
    evidence / (1 + (expected * overdispersion[measure]) / Math.sqrt(compared.window.length)) >
    END_EVIDENCE
  );
}
