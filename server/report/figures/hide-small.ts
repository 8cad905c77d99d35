/**
 * Hides figures from 1 to 10 in a report for readers outside the team: with one of a clinic, they
 * could recognise a family.
 */
import type { Row } from './report.ts';

const SMALLEST_SHOWN = 11;
/** The highest possible value of a hidden figure must be so far above its lowest one. */
const LEAST_DOUBT = 3;
/** Each has at least 1, so more of them would tell a total from 1 to 10. */
const MOST_SMALL_ROWS = 4;

export const isSmall = (n: number): boolean => n > 0 && n < SMALLEST_SHOWN;

/**
 * @returns the rows whose figure is hidden, by column; null: the table would give away small
 * figures, and is left out
 */
export function hideSmall(rows: readonly Row[]) {
  const visits = rowsToHide(rows, 'visits');
  const clicks = rowsToHide(rows, 'clicks');
  return visits && clicks && { visits, clicks };
}

/**
 * Chooses the small figures, and the smallest larger ones as long as a reader could compute a small
 * one from the total.
 */
function rowsToHide(rows: readonly Row[], what: 'visits' | 'clicks'): Set<Row> | null {
  const hidden = rows.filter(({ now }) => isSmall(now[what]));
  const larger = rows
    .filter(({ now }) => now[what] >= SMALLEST_SHOWN)
    .sort((a, b) => b.now[what] - a.now[what]);
  const figures = () => hidden.map(({ now }) => now[what]);
  if (hidden.length > MOST_SMALL_ROWS && isSmall(rows.reduce((sum, { now }) => sum + now[what], 0)))
    return null;
  while (hidden.length > 0 && !isInDoubt(figures(), larger.at(-1)?.now[what])) {
    const next = larger.pop();
    if (!next) return null;
    hidden.push(next);
  }
  return new Set(hidden);
}

/**
 * Whether a small figure can have enough values. A reader knows the sum of the hidden ones.
 *
 * @param bound of the hidden figures that are not small: the smallest one that is shown
 */
function isInDoubt(figures: readonly number[], bound = Number.POSITIVE_INFINITY): boolean {
  const sum = figures.reduce((total, n) => total + n, 0);
  const larger = figures.filter((n) => n >= SMALLEST_SHOWN).length;
  const others = figures.length - larger - 1;
  const most = Math.min(SMALLEST_SHOWN - 1, sum - others - larger * SMALLEST_SHOWN);
  const least = Math.max(1, sum - (SMALLEST_SHOWN - 1) * others - (larger && larger * bound));
  return most - least >= LEAST_DOUBT;
}
