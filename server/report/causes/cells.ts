/**
 * Makes a table of two periods: one cell for each combination of values, with its counts in both
 * periods and its expected count in the later one. Visits are expected as in the earlier period.
 * Clicks are expected from the later period's visits at the earlier period's click rates, so that
 * another mix of visitors does not look like a change of a rate.
 */

import type { Measure } from './baseline.ts';
import { addButton, type Combination } from './combination.ts';
import { range, type TableRow } from './counts.ts';

export interface Cell {
  combination: Combination;
  /** Visits, or rated clicks, of the earlier and of the later period. */
  before: number;
  after: number;
  /** What `after` would be if nothing had changed. */
  expected: number;
}

/** Iterations of the fit. Each adjusts the rates to the sums of every slice once. */
const FIT_ITERATIONS = 5;

/**
 * Makes the cells of two periods.
 *
 * @param before rows of the earlier period; `after`: those of the later one
 * @param scale expected ratio of the later period's visits to those of the earlier one: its length,
 * with each day weighted by the seasonal index of its weekday. Clicks do not use it
 */
export const makeCells = (
  measure: Measure,
  before: readonly TableRow[],
  after: readonly TableRow[],
  scale: number,
): Cell[] => (measure === 'visits' ? visitCells(before, after, scale) : clickCells(before, after));

const visitCells = (
  before: readonly TableRow[],
  after: readonly TableRow[],
  scale: number,
): Cell[] => {
  const cells = sumCells(before, after, (row) => [row.ofVisit, row.visits]);
  return [...cells.values()].map((cell) => ({ ...cell, expected: cell.before * scale }));
};

function clickCells(before: readonly TableRow[], after: readonly TableRow[]): Cell[] {
  const visits = sumCells(before, after, (row) => [row.ofVisit, row.visits]);
  const clicks = sumCells(before, after, (row) => [row.ofClick, row.rated]);
  const buttons = [...clicks.keys()].flatMap(({ slice }) => slice.cta ?? []);
  const cells = [...visits.values()].flatMap((ofVisit) =>
    [...new Set(buttons)].map((cta) => {
      const combination = addButton(ofVisit.combination, cta);
      const { before: n = 0, after: m = 0 } = clicks.get(combination) ?? {};
      return { combination, before: n, after: m, expected: 0, visits: ofVisit, rate: 1 };
    }),
  );
  fitRates(cells);
  return cells.map((cell) => ({ ...cell, expected: cell.rate * cell.visits.after }));
}

/**
 * Sets `rate` of each cell, in clicks per visit, by iterative proportional fitting: a cell's rate
 * is a product of one factor for each slice that contains it, and the sum of rate * visits of every
 * slice is that slice's clicks in the earlier period. So a button that only phones press, in both
 * periods, is no change.
 */
function fitRates(cells: (Cell & { visits: Cell; rate: number })[]): void {
  // A cell has a value for each dimension, so all cells have the same families of slices.
  const families = cells[0]?.combination.keys.length ?? 0;
  const groups = range(0, families - 1).flatMap((family) => [
    ...Map.groupBy(cells, ({ combination }) => combination.keys[family]?.key).values(),
  ]);
  for (let iteration = 0; iteration < FIT_ITERATIONS; iteration++)
    for (const group of groups) {
      const clicks = group.reduce((sum, cell) => sum + cell.before, 0);
      const fitted = group.reduce((sum, { rate, visits }) => sum + rate * visits.before, 0);
      // Adds one click on both sides (smoothing). Otherwise a slice without a click by chance
      // would get a rate of 0.
      for (const cell of group) cell.rate *= (clicks + 1) / (fitted + 1);
    }
}

/**
 * Adds up rows of equal values into cells.
 *
 * @param countOf combination and count of a row
 */
function sumCells(
  before: readonly TableRow[],
  after: readonly TableRow[],
  countOf: (row: TableRow) => [Combination, number],
): Map<Combination, Cell> {
  const cells = new Map<Combination, Cell>();
  const addRow = (row: TableRow, period: 'before' | 'after') => {
    const [combination, n] = countOf(row);
    const cell = cells.get(combination) ?? { combination, before: 0, after: 0, expected: 0 };
    cell[period] += n;
    cells.set(combination, cell);
  };
  for (const row of before) addRow(row, 'before');
  for (const row of after) addRow(row, 'after');
  return cells;
}
