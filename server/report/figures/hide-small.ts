/**
 * Hides figures from 1 to 10 in a report for readers outside the team (statistical disclosure
 * control): by such a figure of one clinic, they could recognise a family.
 */
import type { FigureRow } from './report.ts';

/** Smallest figure above 0 that is shown. */
const SMALLEST_SHOWN = 11;
/**
 * Least difference between the highest and the lowest value that a hidden figure can have, as far
 * as a reader can compute them from the total.
 */
const LEAST_UNCERTAINTY = 3;
/**
 * Upper bound for the small rows of a table whose total is small too. Each row has at least 1, so
 * five or more rows would reveal much about a total from 1 to 10.
 */
const MOST_SMALL_ROWS = 4;

export const isSmall = (n: number): boolean => n > 0 && n < SMALLEST_SHOWN;

/**
 * Chooses the figures of a table that are hidden.
 *
 * @returns the rows whose figure is hidden, by column. null: whatever is hidden, small figures
 * could be computed, so the whole table is left out
 */
export function hideSmall(rows: readonly FigureRow[]) {
  const visits = rowsToHide(rows, 'visits');
  const clicks = rowsToHide(rows, 'clicks');
  return visits && clicks && { visits, clicks };
}

/**
 * Chooses all small figures of a column. While a reader could compute one of them from the total,
 * adds the smallest of the other figures (complementary suppression).
 */
function rowsToHide(rows: readonly FigureRow[], what: 'visits' | 'clicks'): Set<FigureRow> | null {
  const hidden = rows.filter(({ now }) => isSmall(now[what]));
  const larger = rows
    .filter(({ now }) => now[what] >= SMALLEST_SHOWN)
    .sort((a, b) => b.now[what] - a.now[what]);
  const figures = () => hidden.map(({ now }) => now[what]);
  if (hidden.length > MOST_SMALL_ROWS && isSmall(rows.reduce((sum, { now }) => sum + now[what], 0)))
    return null;
  while (hidden.length > 0 && !areUncertain(figures(), larger.at(-1)?.now[what])) {
    const next = larger.pop();
    if (!next) return null;
    hidden.push(next);
  }
  return new Set(hidden);
}

/**
 * Whether each hidden small figure can have enough different values, for a reader who knows the sum
 * of all hidden figures.
 *
 * @param bound the smallest figure that is shown and not small: the hidden ones are not larger
 */
function areUncertain(figures: readonly number[], bound = Number.POSITIVE_INFINITY): boolean {
  const sum = figures.reduce((total, n) => total + n, 0);
  const larger = figures.filter((n) => n >= SMALLEST_SHOWN).length;
  const others = figures.length - larger - 1;
  const most = Math.min(SMALLEST_SHOWN - 1, sum - others - larger * SMALLEST_SHOWN);
  const least = Math.max(1, sum - (SMALLEST_SHOWN - 1) * others - (larger && larger * bound));
  return most - least >= LEAST_UNCERTAINTY;
}
