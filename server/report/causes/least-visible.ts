/**
 * Says what the engine cannot see: for how many days clicks on phones, or of a small site, would be
 * halved before an alert could name it.
 */

import { type Base, baseBefore } from './baseline.ts';
import type { Slice } from './combination.ts';
import { ALPHA, correctionOf } from './correction.ts';
import { isKnown, type Series, seriesOf, sumOf, type Table } from './counts.ts';
import { variationOf } from './expectation.ts';
import { WINDOWS } from './find-unusual.ts';
import type { Told } from './mailed-changes.ts';
import { logChanceOf } from './p-value.ts';

/** Most faults that last concern phones. */
const PHONES: Slice = { device: 'small' };
const HALF = 0.5;

export interface LeastVisible {
  /** Of the visits on phones; otherwise of all visits. */
  isOfPhones: boolean;
  /** Days until a halving of its clicks per visit shows; null: more than four weeks. */
  days: number | null;
}

/**
 * @param last index of the last day
 * @param told changes whose days are not ordinary
 * @returns null: too few days say what is usual
 */
export function findLeastVisible(
  table: Table,
  last: number,
  told: readonly Told[],
): LeastVisible | null {
  const isOrdinary = (day: number) => {
    const date = table.days[day] ?? '';
    return !told.some(({ since, ended }) => date >= since && (ended === null || date < ended));
  };
  const base = baseBefore(table, last + 1, isOrdinary);
  if (base === null) return null;
  const phones = seriesOf(table, PHONES);
  const series = isKnown(phones, base.days) ? phones : table.all;
  const { family } = series;
  const members = [...table.series.values()].filter((one) => one.family === family);
  const correction = correctionOf(family, members.length);
  const isVisible = (length: number) =>
    logChanceOfHalving(series, base, length) + correction < Math.log(ALPHA);
  return { isOfPhones: series === phones, days: WINDOWS.find(isVisible) ?? null };
}

function logChanceOfHalving({ rated }: Series, base: Base, length: number): number {
  const counted = sumOf(rated, base.days);
  const expected = (counted / base.days.length) * length;
  if (expected <= 0) return 0;
  const variation = variationOf(base, 'rate', length, counted);
  return logChanceOf(Math.round(expected * HALF), expected, variation);
}
