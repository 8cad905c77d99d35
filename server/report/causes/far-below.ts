/**
 * Finds links whose visitors press far less often than those of all other links together. Causes
 * are a wrong leaflet, or a code that leads to the wrong page.
 */

import { NONE } from './combination.ts';
import type { CountRow } from './counts.ts';
import { logPValueOf } from './p-value.ts';

/** Probability that any link of a period is named falsely. */
const SIGNIFICANCE_LEVEL = 0.01;
/** A link with fewer visits is never named. */
const LEAST_VISITS = 50;
/** A link is named below this fraction of its expected clicks. */
const FAR_BELOW = 0.5;
/**
 * Squared coefficient of variation of click rates between good links: some leaflets lie at a
 * counter, others are handed out. An estimate, not measured.
 */
const VARIANCE_BETWEEN_LINKS = 0.05;

export interface FarLink {
  ref: string;
  visits: number;
  rated: number;
  /** Clicks that the link's visits would bring at the click rate of all other links. */
  expected: number;
}

/**
 * Compares each link with all others. The p-values are corrected for the number of links
 * (Bonferroni).
 *
 * @param rows counts of one period
 * @returns the links far below, the least likely first
 */
export function findFarBelow(rows: readonly CountRow[]): FarLink[] {
  const links = Map.groupBy(
    rows.filter(({ ref }) => ref !== NONE),
    ({ ref }) => ref,
  );
  const all = totalOf([...links.values()].flat());
  return [...links]
    .map(([ref, own]) => {
      const { visits, rated } = totalOf(own);
      const others = (all.rated - rated) / Math.max(1, all.visits - visits);
      const expected = Math.max(0.1, others * visits);
      const logPValue = logPValueOf(rated, expected, VARIANCE_BETWEEN_LINKS) + Math.log(links.size);
      return { ref, visits, rated, expected, logPValue };
    })
    .filter(({ visits, rated, expected, logPValue }) => {
      const isFar = rated < FAR_BELOW * expected && logPValue < Math.log(SIGNIFICANCE_LEVEL);
      return visits >= LEAST_VISITS && isFar;
    })
    .sort((a, b) => a.logPValue - b.logPValue);
}

const totalOf = (rows: readonly CountRow[]) => ({
  visits: rows.reduce((sum, row) => sum + row.visits, 0),
  rated: rows.reduce((sum, row) => sum + row.rated, 0),
});
