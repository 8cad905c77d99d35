/**
 * Two periods side by side, one cell for each combination of values, each with what was expected of
 * it. Visits are expected as they were. Clicks are expected of the later period's visits at the
 * earlier period's rates, so that another mix of visitors is no change of a rate.
 */

import type { Measure } from './baseline.ts';
import { addButton, type Combination, DIMENSIONS } from './combination.ts';
import type { Row } from './counts.ts';

export interface Cell {
  of: Combination;
  before: number;
  after: number;
  /** `after`, had nothing changed. */
  expected: number;
}

/** Sweeps of the fit over all dimensions. */
const SWEEPS = 5;

/**
 * @param scale length of the later period divided by that of the earlier one, by the weekdays'
 * shares
 */
export const cellsOf = (
  measure: Measure,
  before: readonly Row[],
  after: readonly Row[],
  scale: number,
): Cell[] => (measure === 'visits' ? visitCells(before, after, scale) : clickCells(before, after));

const visitCells = (before: readonly Row[], after: readonly Row[], scale: number): Cell[] => {
  const cells = sumCells(before, after, (row) => [row.ofVisit, row.visits]);
  return [...cells.values()].map((cell) => ({ ...cell, expected: cell.before * scale }));
};

function clickCells(before: readonly Row[], after: readonly Row[]): Cell[] {
  const visits = sumCells(before, after, (row) => [row.ofVisit, row.visits]);
  const clicks = sumCells(before, after, (row) => [row.ofClick, row.rated]);
  const pressed = [...clicks.keys()].flatMap(({ slice }) => slice.cta ?? []);
  const cells = [...visits.values()].flatMap((ofVisit) =>
    [...new Set(pressed)].map((cta) => {
      const of = addButton(ofVisit.of, cta);
      const { before: n = 0, after: m = 0 } = clicks.get(of) ?? {};
      return { of, before: n, after: m, expected: 0, visits: ofVisit, rate: 1 };
    }),
  );
  fitRates(cells);
  return cells.map((cell) => ({ ...cell, expected: cell.rate * cell.visits.after }));
}

/**
 * Gives every slice its own clicks of the earlier period, by one factor for each value (iterative
 * proportional fitting).
 */
function fitRates(cells: (Cell & { visits: Cell; rate: number })[]): void {
  const margins = DIMENSIONS.map((name) => Map.groupBy(cells, ({ of }) => of.slice[name]));
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const margin of [new Map([['', cells]]), ...margins])
      for (const same of margin.values()) {
        const clicks = same.reduce((sum, cell) => sum + cell.before, 0);
        const fitted = same.reduce((sum, { rate, visits }) => sum + rate * visits.before, 0);
        // One click more on both sides keeps rare values from a rate of 0.
        for (const cell of same) cell.rate *= (clicks + 1) / (fitted + 1);
      }
}

function sumCells(
  before: readonly Row[],
  after: readonly Row[],
  countOf: (row: Row) => [Combination, number],
): Map<Combination, Cell> {
  const cells = new Map<Combination, Cell>();
  const put = (row: Row, period: 'before' | 'after') => {
    const [of, n] = countOf(row);
    const cell = cells.get(of) ?? { of, before: 0, after: 0, expected: 0 };
    cell[period] += n;
    cells.set(of, cell);
  };
  for (const row of before) put(row, 'before');
  for (const row of after) put(row, 'after');
  return cells;
}
