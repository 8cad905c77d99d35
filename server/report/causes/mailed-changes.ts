/**
 * Remembers what was mailed. A change that was told is part of what is expected: it is not mailed
 * again, its days are no comparison, and one mail says when it is over.
 */

import { baseBefore, type Measure } from './baseline.ts';
import type { Slice } from './combination.ts';
import { range, type Series, seriesOf, type Table } from './counts.ts';
import { expectationOf } from './expectation.ts';

/** A row of the memory. It survives JSON. */
export interface Told {
  slice: Slice;
  measure: Measure;
  /** Observed divided by expected on the day of the mail. Below 1: a fall. */
  ratio: number;
  /** What was usual: visits a day, or clicks per 100 visits. */
  usual: number;
  /** First day of the change: 2026-01-31. */
  since: string;
  /** Day that the mail was about. */
  toldOn: string;
  /** First day that was as before. null: it is still so. */
  ended: string | null;
}

/** A change that lasts so long is the new level. The report still names it. */
const NEW_LEVEL_DAYS = 28;
/** Days since the mail that are compared with both levels. */
const WINDOWS = [1, 2, 3, 5, 7];
/** Evidence that a change is over: the former level must be 1,000 times as likely. */
const ENOUGH = Math.log(1000);
/**
 * A change looks largest on the day of its mail, because then it passed the threshold. This power
 * takes its size nearer to 1.
 */
const SHRINK = 0.7;
/** Days within this factor of the former level have reached it. */
const NEAR = 1.35;
/**
 * Least expectation: of a new campaign nothing was expected, and half a visit makes it comparable.
 */
export const LEAST_EXPECTED = 0.5;

/** @returns the changes that are still so, and not yet the new level */
export const openOn = (told: readonly Told[], date: string): Told[] =>
  told.filter(({ ended, since }) => ended === null && ageOf(since, date) < NEW_LEVEL_DAYS);

const ageOf = (since: string, date: string): number =>
  Temporal.PlainDate.from(since).until(Temporal.PlainDate.from(date)).days;

/**
 * @param today index of the last day that is over
 * @returns a function that is false for the days of changes that are over, and for days before a
 * lasting new level
 */
export function comparableDays(table: Table, told: readonly Told[], today: number) {
  const open = openOn(told, dateAt(table.days, today));
  const closed = told.filter((one) => !open.includes(one));
  return (day: number): boolean => {
    const date = dateAt(table.days, day);
    return !closed.some(({ since, ended }) =>
      ended === null ? date < since : date >= since && date < ended,
    );
  };
}

const dateAt = (days: readonly string[], day: number): string => days[day] ?? '';

/** Ends each change that is over. @param day index of the last day that is over */
export const endTold = (table: Table, day: number, told: readonly Told[]): Told[] =>
  told.map((one) => {
    if (one.ended !== null) return one;
    const others = told.filter((other) => other !== one);
    return { ...one, ended: endOf(table, day, one, others) };
  });

/**
 * @returns the first day as before, when the days since the mail fit the former level far better
 * than the changed one
 */
function endOf(table: Table, day: number, one: Told, others: readonly Told[]): string | null {
  const since = table.days.indexOf(one.since);
  const mailed = table.days.indexOf(one.toldOn);
  const base = baseBefore(table, since, comparableDays(table, others, day));
  if (base === null) return null;
  const series = seriesOf(table, one.slice);
  const first = WINDOWS.map((length) => day - length + 1).find(
    (start) =>
      start > mailed && isAsBefore(table, series, one, { base, window: range(start, day) }),
  );
  return first === undefined ? null : dateAt(table.days, first);
}

function isAsBefore(
  table: Table,
  series: Series,
  { measure, ratio }: Told,
  compared: Parameters<typeof expectationOf>[3],
): boolean {
  const { observed, ...usual } = expectationOf(table, series, measure, compared);
  const expected = Math.max(usual.expected, LEAST_EXPECTED);
  if (observed >= expected * NEAR + 1 || (observed + 1) * NEAR <= expected) return false;
  const changed = Math.max(ratio, 0.01) ** SHRINK;
  const evidence = expected * (changed - 1) - observed * Math.log(changed);
  // Days vary more than chance, so their evidence is worth less.
  const { spread } = compared.base;
  return evidence / (1 + (expected * spread[measure]) / Math.sqrt(compared.window.length)) > ENOUGH;
}
