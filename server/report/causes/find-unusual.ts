/**
 * Finds windows of days in which visits, or clicks per visit, differ significantly from what is
 * expected of the site or of a slice.
 */

import { baselineBefore, type Measure } from './baseline.ts';
import { logCorrectionOf, SIGNIFICANCE_LEVEL } from './correction.ts';
import { isKnown, range, type Series, type Table } from './counts.ts';
import { type Compared, expectationOf } from './expectation.ts';
import { type MailedChange, makeComparableDayTest, openChangesOn } from './mailed-changes.ts';
import { logPValueOf } from './p-value.ts';

/**
 * Lengths of the windows, in days. Small sites need the long ones: 8 clicks a day say little in a
 * week.
 */
export const WINDOWS = [1, 3, 7, 14, 28];
/**
 * Fraction of the expectation below which a fall is worth an alert. On large sites smaller falls
 * are significant too, but the weekly mail is early enough for them.
 */
export const LEAST_FALL = 1 / 1.5;
/**
 * Multiple of the expectation above which a rise is worth an alert. A higher click rate is good
 * news, unless a program presses, so its bound is larger.
 */
export const LEAST_RISE: Record<Measure, number> = { visits: 1.6, rate: 2 };
/** A window in which one measure is unusual. */
export interface Suspicion {
  compared: Compared;
  measure: Measure;
}

/**
 * Looks for an unusual fall of any slice, or an unusual rise of the whole site. A slice that rises
 * while the site does not is left to the report: each new leaflet would send an alert.
 *
 * @param day index of the last day that is over, with which every window ends
 * @param told changes that alerts have mailed
 * @returns windows worth an explanation, the one with the smallest p-value first
 */
export function findUnusual(table: Table, day: number, told: readonly MailedChange[]): Suspicion[] {
  const isComparable = makeComparableDayTest(table, told, day);
  const found = WINDOWS.flatMap((length) => {
    const window = lastDays(table, day, length, told);
    const baseline = window && baselineBefore(table, window[0] ?? 0, isComparable);
    if (!baseline) return [];
    const compared = { baseline, window };
    return (['visits', 'rate'] as const).map((measure) => {
      const logPValue = Math.min(0, ...logPValuesOfLargeChanges(table, compared, measure));
      return { compared, measure, logPValue };
    });
  });
  return found
    .filter(({ logPValue }) => logPValue < Math.log(SIGNIFICANCE_LEVEL))
    .sort((a, b) => a.logPValue - b.logPValue);
}

/**
 * Lists the last `length` days that do not belong to a change that is over.
 *
 * @returns null: the window would begin before a mailed change that goes on
 */
function lastDays(table: Table, day: number, length: number, told: readonly MailedChange[]) {
  const openChanges = openChangesOn(told, table.days[day] ?? '');
  const since = Math.max(0, ...openChanges.map((change) => table.days.indexOf(change.since)));
  const ended = told.filter((change) => change.ended !== null);
  const window = range(Math.max(since, day - 2 * length), day)
    .filter(makeComparableDayTest(table, ended, day))
    .slice(-length);
  return window.length === length && window.at(-1) === day ? window : null;
}

/**
 * Returns the logarithms of the corrected p-values of all changes that are large enough for an
 * alert.
 */
function logPValuesOfLargeChanges(table: Table, compared: Compared, measure: Measure): number[] {
  const slices = listComparedSlices(table, compared.baseline.days, measure);
  const families = Map.groupBy(slices, ({ family }) => family);
  return slices.flatMap((series) => {
    const { family } = series;
    const { observed, expected, relativeVariance } = expectationOf(
      table,
      series,
      measure,
      compared,
    );
    const isFall = observed < expected * LEAST_FALL;
    const isRise = family === '' && observed > expected * LEAST_RISE[measure];
    if (expected <= 0 || !(isFall || isRise)) return [];
    const logCorrection = logCorrectionOf(family, families.get(family)?.length ?? 1);
    return [logPValueOf(observed, expected, relativeVariance) + logCorrection];
  });
}

/**
 * Lists the slices that are compared. Pairs of values, such as Spanish on phones, are compared only
 * for clicks per visit: only a fault of the page concerns a pair. Buttons have no visits of their
 * own.
 */
const listComparedSlices = (table: Table, days: readonly number[], measure: Measure): Series[] =>
  [...table.series.values()].filter((series) => {
    const { family, slice } = series;
    if (family === '') return true;
    if (measure === 'visits' && (slice.cta !== undefined || family.includes(','))) return false;
    return isKnown(series, days);
  });
