/**
 * Finds links whose visitors press far less than those of the other links: a wrong leaflet, a code
 * that leads to the wrong page.
 */

import { NONE } from './combination.ts';
import type { CountRow } from './counts.ts';
import { logChanceOf } from './p-value.ts';

/** Chance of naming any link falsely. */
const ALPHA = 0.01;
const LEAST_VISITS = 50;
const FAR = 0.5;
/**
 * Squared coefficient of variation of rates between good links: some leaflets lie at a counter,
 * others are handed out.
 */
const BETWEEN_LINKS = 0.05;

export interface FarLink {
  ref: string;
  visits: number;
  rated: number;
  /** Clicks that its visits would have at the rate of the other links. */
  expected: number;
}

/** @param rows of the period @returns the worst first */
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
      const logChance = logChanceOf(rated, expected, BETWEEN_LINKS) + Math.log(links.size);
      return { ref, visits, rated, expected, logChance };
    })
    .filter(({ visits, rated, expected, logChance }) => {
      const isFar = rated < FAR * expected && logChance < Math.log(ALPHA);
      return visits >= LEAST_VISITS && isFar;
    })
    .sort((a, b) => a.logChance - b.logChance);
}

const totalOf = (rows: readonly CountRow[]) => ({
  visits: rows.reduce((sum, row) => sum + row.visits, 0),
  rated: rows.reduce((sum, row) => sum + row.rated, 0),
});
