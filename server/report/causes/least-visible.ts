/**
 * Computes what the engine cannot see yet (its statistical power): for how many days clicks per
 * visit would have to be halved before an alert could say so.
 */

import { type Baseline, baselineBefore } from './baseline.ts';
import type { Slice } from './combination.ts';
import { logCorrectionOf, SIGNIFICANCE_LEVEL } from './correction.ts';
import { isKnown, type Series, seriesOf, sumOverDays, type Table } from './counts.ts';
import { relativeVarianceOf } from './expectation.ts';
import { WINDOWS } from './find-unusual.ts';
import type { MailedChange } from './mailed-changes.ts';
import { logPValueOf } from './p-value.ts';

/**
 * The slice whose halving is looked for. A team that works on computers easily overlooks a fault
 * that only phones have.
 */
const PHONES: Slice = { device: 'small' };
const HALF = 0.5;

export interface LeastVisible {
  /** Whether `days` is about phones. It is about the whole site if phones have too few visits. */
  isOfPhones: boolean;
  /** Length of the shortest window in which a halving is significant; null: above 28 days. */
  days: number | null;
}

/**
 * Tries each window of the engine, the shortest first.
 *
 * @param last index of the last day in `Table.days`
 * @param told changes that alerts have mailed, whose days are left out of the baseline
 * @returns null: the baseline has too few ordinary days
 */
export function findLeastVisible(
  table: Table,
  last: number,
  told: readonly MailedChange[],
): LeastVisible | null {
  const isOrdinary = (day: number) => {
    const date = table.days[day] ?? '';
    return !told.some(({ since, ended }) => date >= since && (ended === null || date < ended));
  };
  const baseline = baselineBefore(table, last + 1, isOrdinary);
  if (baseline === null) return null;
  const phones = seriesOf(table, PHONES);
  const series = isKnown(phones, baseline.days) ? phones : table.all;
  const { family } = series;
  const members = [...table.series.values()].filter((other) => other.family === family);
  const logCorrection = logCorrectionOf(family, members.length);
  const isVisible = (length: number) =>
    logPValueOfHalving(series, baseline, length) + logCorrection < Math.log(SIGNIFICANCE_LEVEL);
  return { isOfPhones: series === phones, days: WINDOWS.find(isVisible) ?? null };
}

/**
 * Returns the logarithm of the p-value of half the expected clicks in a window of `length` days.
 */
function logPValueOfHalving({ rated }: Series, baseline: Baseline, length: number): number {
  const counted = sumOverDays(rated, baseline.days);
  const expected = (counted / baseline.days.length) * length;
  if (expected <= 0) return 0;
  const relativeVariance = relativeVarianceOf(baseline, 'rate', length, counted);
  return logPValueOf(Math.round(expected * HALF), expected, relativeVariance);
}
