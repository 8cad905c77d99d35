/**
 * Chooses the scale of the chart: the number of clicks at its top. A spike, and the line of the
 * period before, may leave the top, because they would flatten the other columns.
 */
import type { ChartMarks } from '../causes/read-opening.ts';
import type { Report } from '../figures/report.ts';
import { goalOfDay, highestExpected } from './render-marks.ts';

/**
 * The line of the period before may leave the top, because a spike in it would flatten the columns.
 */
const MOST_ABOVE = 1.25;
/**
 * A column that is so many times as high as nine of ten others is a spike, which may leave the top.
 */
const SPIKE = 3;
/** A column of so few clicks is never a spike. */
const LEAST_SPIKE = 20;

/** Returns the clicks of the highest column that the scale must show, without a spike. */
function highestShown(clicks: readonly number[]): number {
  const ordered = clicks.toSorted((a, b) => b - a);
  const [most = 0] = ordered;
  const highOfMost = ordered[Math.ceil(ordered.length / 10)] ?? 0;
  const isShown = most <= LEAST_SPIKE || highOfMost === 0;
  return isShown ? most : Math.min(most, Math.max(SPIKE * highOfMost, LEAST_SPIKE));
}

/** Returns the number of clicks at the top of the chart. */
export function topOf(report: Report, marks: ChartMarks): number {
  const { columns } = report;
  const own = Math.max(
    highestShown(columns.map(({ now }) => now.clicks)),
    highestExpected(columns, marks),
    goalOfDay(report),
  );
  const before = Math.max(...columns.map((column) => column.before.clicks));
  return scaleTop(own === 0 ? before : Math.max(own, Math.min(before, MOST_ABOVE * own)));
}

/** Returns the top of the scale: the smallest number from `most` on that has four round steps. */
function scaleTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 4) / 4));
  const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 10].map((step) => step * power);
  return 4 * (steps.find((step) => Number.isInteger(step) && 4 * step >= most) ?? most);
}
