/**
 * Explains a difference between two periods by the fewest facts, three at most. A fact is a slice
 * whose visits, or whose clicks per visit, changed by one factor. Of all slices, the one whose
 * factor explains most is taken (matching pursuit by the likelihood ratio); its cells are then as
 * expected, and the rest is looked at again. So a link whose visitors use phones is not named for
 * what is broken on phones.
 */

import type { Measure } from './baseline.ts';
import type { Cell } from './cells.ts';
import { keyOf, NONE, pick, type Slice } from './combination.ts';
import { correctionOf } from './correction.ts';
import { LEAST_EXPECTED } from './mailed-changes.ts';
import { likelihoodRatio, logChanceOf } from './p-value.ts';

const MOST_FACTS = 3;
/** Visits or clicks of a slice, seen or expected. Fewer explain nothing. */
const LEAST_EVENTS = 5;
/**
 * Prices by the number of a slice's dimensions, so that the simpler fact wins: a divisor of the
 * logarithm of the likelihood ratio, and what is subtracted from it. Without prices, a slice that
 * has 88 % of the visits explains an outage by luck better than the whole site does.
 */
const PRICES = [
  { divisor: 1, cost: 0 },
  { divisor: 1.05, cost: 0.5 },
  { divisor: 1.1, cost: 2 },
];
/**
 * Slices whose expectations differ by less have almost the same visitors, as a campaign and its
 * class.
 */
const SAME_VISITORS = 0.05;

export interface Fact {
  slice: Slice;
  measure: Measure;
  /** Visits, or clicks for a rate, of the slice in the later period. */
  observed: number;
  /** The same, had nothing changed but the facts before this one. */
  expected: number;
  /** Logarithm of the corrected chance. */
  logChance: number;
}

interface Search {
  /** Slices whose change is known already. */
  given: readonly Slice[];
  /** Corrected chance below which something is unusual. */
  alpha: number;
  variationOf: (counted: number) => number;
  isWanted: (fact: Fact) => boolean;
  /**
   * Least lead of the first fact over the next best one, as the logarithm of a likelihood ratio.
   */
  leastLead: number;
}

/** Chance decides whether there is a fact, and the likelihood ratio decides which. */
export function findFacts(cells: Cell[], measure: Measure, search: Search): Fact[] {
  const candidates = listCandidates(cells);
  for (const slice of search.given)
    explain(
      cells,
      cells.filter(({ of }) => isPart(of.slice, slice)),
      slice,
    );
  const facts: Fact[] = [];
  while (facts.length < MOST_FACTS) {
    const best = chooseBest(candidates, measure, search, facts.length === 0 ? search.leastLead : 0);
    if (best === null) break;
    facts.push(best.fact);
    explain(cells, best.cells, best.fact.slice);
  }
  return facts;
}

/** @returns null: everything is as expected, or two explanations are about as good */
function chooseBest(
  candidates: readonly Candidate[],
  measure: Measure,
  search: Search,
  leastLead: number,
): Found | null {
  const found = candidates
    .flatMap((one) => factOf(one, measure, search))
    .filter(({ fact }) => search.isWanted(fact))
    .sort((a, b) => b.gain - a.gain);
  const [best, ...others] = found;
  const isUnusual = found.some(({ fact }) => fact.logChance < Math.log(search.alpha));
  if (!best || !isUnusual || best.gain <= 0) return null;
  const next = others.find(({ fact: { expected } }) => {
    return Math.abs(expected / best.fact.expected - 1) > SAME_VISITORS;
  });
  return best.gain - (next?.gain ?? 0) >= leastLead ? best : null;
}

interface Candidate {
  slice: Slice;
  cells: Cell[];
  correction: number;
}
interface Found {
  fact: Fact;
  cells: Cell[];
  /** What the fact explains, less its price. */
  gain: number;
}

function factOf(candidate: Candidate, measure: Measure, { variationOf }: Search): Found[] {
  const { slice, cells, correction } = candidate;
  const observed = total(cells, 'after');
  const expected = Math.max(total(cells, 'expected'), LEAST_EXPECTED);
  if (Math.max(observed, expected) < LEAST_EVENTS) return [];
  const { divisor, cost } = PRICES[Object.keys(slice).length] ?? { divisor: 1, cost: 0 };
  const gain = likelihoodRatio(observed, expected) / divisor - cost;
  const variation = variationOf(total(cells, 'before'));
  const logChance = logChanceOf(observed, expected, variation) + correction;
  return [{ fact: { slice, measure, observed, expected, logChance }, cells, gain }];
}

/**
 * Makes the cells of a fact as expected. After a fact about the whole site all cells are scaled by
 * one factor, so that slices are compared with the rest of the site.
 */
function explain(all: Cell[], cells: Cell[], slice: Slice): void {
  const isSite = keyOf(slice) === '';
  const factor = total(all, 'after') / Math.max(total(all, 'expected'), 1e-9);
  for (const cell of cells) cell.expected = isSite ? cell.expected * factor : cell.after;
}

const total = (cells: Cell[], what: 'before' | 'after' | 'expected'): number =>
  cells.reduce((sum, cell) => sum + cell[what], 0);

const isPart = (values: Slice, slice: Slice): boolean =>
  (Object.keys(slice) as (keyof Slice)[]).every((name) => values[name] === slice[name]);

/**
 * "Without a link" and "unknown" are no causes: they change with everything else, and nobody can
 * act on them.
 */
const isCause = (slice: Slice): boolean =>
  Object.values(slice).every((value) => value !== NONE && value !== 'unknown');

function listCandidates(cells: Cell[]): Candidate[] {
  const byKey = new Map<string, { slice: Slice; family: string; cells: Cell[] }>();
  for (const cell of cells)
    for (const { key, names } of cell.of.keys) {
      const slice = pick(cell.of.slice, names);
      const one = byKey.get(key) ?? { slice, family: names.join(), cells: [] as Cell[] };
      byKey.set(key, one);
      one.cells.push(cell);
    }
  const found = [...byKey.values()].filter(({ slice, cells: own }) => {
    const events = own.reduce((sum, cell) => sum + Math.max(cell.after, cell.expected), 0);
    return isCause(slice) && events >= LEAST_EVENTS;
  });
  const families = Map.groupBy(found, ({ family }) => family);
  return found.map(({ slice, family, cells: own }) => {
    const correction = correctionOf(family, families.get(family)?.length ?? 1);
    return { slice, cells: own, correction };
  });
}
