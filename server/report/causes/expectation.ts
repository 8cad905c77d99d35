/**
 * What a slice should have had in a window: its level on ordinary days, times each weekday's share.
 */

import type { Base, Measure } from './baseline.ts';
import { at, type Series, sumOf, type Table } from './counts.ts';

/** A day counts half as much as one four weeks later, so that the expectation follows a trend. */
const HALF_LIFE_DAYS = 28;
/**
 * Part of the level by which a trend or a wrong weekday's share may move a window of several days.
 */
const DRIFT = 0.06;

/** Days that are compared: those of the window with those of the base. */
export interface Compared {
  base: Base;
  window: number[];
}

export interface Expectation {
  observed: number;
  expected: number;
  /** Squared coefficient of variation of the expectation. */
  variation: number;
}

/** Compares visits; or, for a rate, clicks with the usual rate times the window's own visits. */
export function expectationOf(
  table: Table,
  series: Series,
  measure: Measure,
  { base, window }: Compared,
): Expectation {
  const exposure = (day: number) =>
    measure === 'visits' ? at(base.weekday, at(table.weekdays, day)) : at(series.visits, day);
  const values = measure === 'visits' ? series.visits : series.rated;
  const newest = at(window, 0);
  let [counted, exposed, weights] = [0, 0, 0];
  for (const day of base.days) {
    const weight = 0.5 ** ((newest - day) / HALF_LIFE_DAYS);
    counted += weight * at(values, day);
    exposed += weight * exposure(day);
    weights += weight;
  }
  const level = exposed > 0 ? counted / exposed : 0;
  const meanWeight = weights / Math.max(1, base.days.length);
  return {
    observed: sumOf(values, window),
    expected: level * window.reduce((sum, day) => sum + exposure(day), 0),
    variation: variationOf(base, measure, window.length, counted / meanWeight),
  };
}

/**
 * Adds up the parts of an expectation's variation: of the window's days (which resemble their
 * neighbours, so it shrinks with the root of their number), of the base's days, of the weekdays'
 * shares, of the base's count, and of the drift.
 *
 * @param counted events of the base
 */
export const variationOf = (
  base: Base,
  measure: Measure,
  length: number,
  counted: number,
): number =>
  base.spread[measure] / Math.sqrt(length) +
  base.spread[measure] / base.days.length +
  (measure === 'visits' ? base.shareVariation / Math.min(length, 7) : 0) +
  1 / (counted + 0.5) +
  (length > 1 ? DRIFT ** 2 : 0);
