/** Finds windows in which visits, or clicks per visit, are unusual for the site or for a slice. */

import { baseBefore, type Measure } from './baseline.ts';
import { ALPHA, correctionOf } from './correction.ts';
import { isKnown, range, type Series, type Table } from './counts.ts';
import { type Compared, expectationOf } from './expectation.ts';
import { comparableDays, openOn, type Told } from './mailed-changes.ts';
import { logChanceOf } from './p-value.ts';

/** Days of a window. Small sites need the long ones: 8 clicks a day say little in a week. */
export const WINDOWS = [1, 3, 7, 14, 28];
/** Smaller changes are true on large sites, but nobody has to act before the weekly mail. */
export const LEAST_FALL = 1 / 1.5;
/** A rate that rises is good news, unless a program presses. */
export const LEAST_RISE: Record<Measure, number> = { visits: 1.6, rate: 2 };
/** Days of which one measure is unusual. */
export interface Suspicion {
  compared: Compared;
  measure: Measure;
}

/**
 * Looks for an unusual fall of any slice, or an unusual rise of the whole site. A slice that rises
 * while the site does not is news for the report, not for a mail: each new leaflet is one.
 *
 * @param day index of the last day that is over
 * @returns windows worth an explanation, the least likely first
 */
export function findUnusual(table: Table, day: number, told: readonly Told[]): Suspicion[] {
  const isComparable = comparableDays(table, told, day);
  const found = WINDOWS.flatMap((length) => {
    const window = lastDays(table, day, length, told);
    const base = window && baseBefore(table, window[0] ?? 0, isComparable);
    if (!base) return [];
    const compared = { base, window };
    return (['visits', 'rate'] as const).map((measure) => {
      const logChance = Math.min(0, ...chancesOf(table, compared, measure));
      return { compared, measure, logChance };
    });
  });
  return found
    .filter(({ logChance }) => logChance < Math.log(ALPHA))
    .sort((a, b) => a.logChance - b.logChance);
}

/**
 * @returns the last days but those of changes that are over; null: they begin before a told change
 * that is still so
 */
function lastDays(table: Table, day: number, length: number, told: readonly Told[]) {
  const open = openOn(told, table.days[day] ?? '');
  const since = Math.max(0, ...open.map((one) => table.days.indexOf(one.since)));
  const ended = told.filter((one) => one.ended !== null);
  const window = range(Math.max(since, day - 2 * length), day)
    .filter(comparableDays(table, ended, day))
    .slice(-length);
  return window.length === length && window.at(-1) === day ? window : null;
}

/** @returns the logarithms of the corrected chances of all large changes */
function chancesOf(table: Table, compared: Compared, measure: Measure): number[] {
  const slices = slicesWorthALook(table, compared.base.days, measure);
  const families = Map.groupBy(slices, ({ family }) => family);
  return slices.flatMap((series) => {
    const { family } = series;
    const { observed, expected, variation } = expectationOf(table, series, measure, compared);
    const isFall = observed < expected * LEAST_FALL;
    const isRise = family === '' && observed > expected * LEAST_RISE[measure];
    if (expected <= 0 || !(isFall || isRise)) return [];
    const correction = correctionOf(family, families.get(family)?.length ?? 1);
    return [logChanceOf(observed, expected, variation) + correction];
  });
}

/**
 * A pair of values, such as Spanish on phones, is looked at only for clicks per visit, because it
 * shows a fault of the page. A button is never looked at for visits: it has none of its own.
 */
const slicesWorthALook = (table: Table, days: readonly number[], measure: Measure): Series[] =>
  [...table.series.values()].filter((series) => {
    const { family, slice } = series;
    if (family === '') return true;
    if (measure === 'visits' && (slice.cta !== undefined || family.includes(','))) return false;
    return isKnown(series, days);
  });
