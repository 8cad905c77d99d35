/**
 * Explains a difference between two periods by the fewest facts, three at most. A fact is a slice
 * whose visits, or whose clicks per visit, changed by one factor. The search is greedy (matching
 * pursuit): it takes the slice with the largest likelihood ratio, treats its cells as expected, and
 * searches the remaining difference again. So a link whose visitors use phones is not named for a
 * fault on phones.
 */

import type { Measure } from './baseline.ts';
import type { Cell } from './cells.ts';
import { keyOf, NONE, pickValues, type Slice } from './combination.ts';
import { logCorrectionOf } from './correction.ts';
import { LEAST_EXPECTED } from './mailed-changes.ts';
import { logLikelihoodRatio, logPValueOf } from './p-value.ts';

const MOST_FACTS = 3;
/** Slices with fewer visits or clicks, observed and expected, are not compared. */
const LEAST_COUNT = 5;
/**
 * Complexity penalties by the number of a slice's dimensions (0 to 2), so that the simpler of two
 * similar explanations wins. The logarithm of the likelihood ratio is divided by `divisor`, and
 * `cost` is subtracted. Without penalties, a slice with 88 % of the visits would by luck explain an
 * outage better than the whole site.
 */
const COMPLEXITY_PENALTIES = [
  { divisor: 1, cost: 0 },
  { divisor: 1.05, cost: 0.5 },
  { divisor: 1.1, cost: 2 },
];
/**
 * Relative difference of two slices' expectations below which they have almost the same visitors,
 * as a campaign and its class of sites. Such slices are no rival explanations.
 */
const SAME_VISITORS_DIFFERENCE = 0.05;

export interface Fact {
  slice: Slice;
  measure: Measure;
  /** Visits of the slice in the later period; rated clicks if the measure is a rate. */
  observed: number;
  /** What `observed` would be if only the facts before this one had changed anything. */
  expected: number;
  /** Natural logarithm of the p-value, corrected for the number of comparisons. */
  logPValue: number;
}

interface Search {
  /** Slices whose change is known already. */
  knownSlices: readonly Slice[];
  /** Corrected p-value below which a difference is significant. */
  significanceLevel: number;
  /** Returns the relative variance of an expectation that rests on so many earlier counts. */
  relativeVarianceOf: (counted: number) => number;
  /** Whether a fact is large enough to be named. */
  isWanted: (fact: Fact) => boolean;
  /**
   * Least difference of scores between the first fact and the next best one, which is the logarithm
   * of a likelihood ratio.
   */
  leastLead: number;
}

/**
 * Finds the facts. The p-value decides whether there is one, and the likelihood ratio decides
 * which.
 *
 * @param cells both periods. Their `expected` is changed: it then contains what the facts explain
 */
export function findFacts(cells: Cell[], measure: Measure, search: Search): Fact[] {
  const candidates = listCandidates(cells);
  for (const slice of search.knownSlices)
    treatAsExpected(
      cells,
      cells.filter(({ combination }) => isPart(combination.slice, slice)),
      slice,
    );
  const facts: Fact[] = [];
  while (facts.length < MOST_FACTS) {
    const best = chooseBest(candidates, measure, search, facts.length === 0 ? search.leastLead : 0);
    if (best === null) break;
    facts.push(best.fact);
    treatAsExpected(cells, best.cells, best.fact.slice);
  }
  return facts;
}

/** Returns the best explanation. Null: nothing is significant, or two are about equally good. */
function chooseBest(
  candidates: readonly Candidate[],
  measure: Measure,
  search: Search,
  leastLead: number,
): ScoredFact | null {
  const found = candidates
    .flatMap((candidate) => scoreCandidate(candidate, measure, search))
    .filter(({ fact }) => search.isWanted(fact))
    .sort((a, b) => b.score - a.score);
  const [best, ...others] = found;
  const isUnusual = found.some(({ fact }) => fact.logPValue < Math.log(search.significanceLevel));
  if (!best || !isUnusual || best.score <= 0) return null;
  const next = others.find(({ fact: { expected } }) => {
    return Math.abs(expected / best.fact.expected - 1) > SAME_VISITORS_DIFFERENCE;
  });
  return best.score - (next?.score ?? 0) >= leastLead ? best : null;
}

interface Candidate {
  slice: Slice;
  cells: Cell[];
  logCorrection: number;
}
interface ScoredFact {
  fact: Fact;
  cells: Cell[];
  /** Logarithm of the likelihood ratio, less the complexity penalty. */
  score: number;
}

/** Scores a candidate. Returns none if its counts are too small. */
function scoreCandidate(
  candidate: Candidate,
  measure: Measure,
  { relativeVarianceOf }: Search,
): ScoredFact[] {
  const { slice, cells, logCorrection } = candidate;
  const observed = sumCells(cells, 'after');
  const expected = Math.max(sumCells(cells, 'expected'), LEAST_EXPECTED);
  if (Math.max(observed, expected) < LEAST_COUNT) return [];
  const { divisor, cost } = COMPLEXITY_PENALTIES[Object.keys(slice).length] ?? {
    divisor: 1,
    cost: 0,
  };
  const score = logLikelihoodRatio(observed, expected) / divisor - cost;
  const relativeVariance = relativeVarianceOf(sumCells(cells, 'before'));
  const logPValue = logPValueOf(observed, expected, relativeVariance) + logCorrection;
  return [{ fact: { slice, measure, observed, expected, logPValue }, cells, score }];
}

/**
 * Changes `expected` of a fact's cells, so that the next search finds no difference there. After a
 * fact about the whole site, all cells are scaled by one factor instead: slices are then compared
 * with the rest of the site.
 */
function treatAsExpected(all: Cell[], cells: Cell[], slice: Slice): void {
  const isSite = keyOf(slice) === '';
  const factor = sumCells(all, 'after') / Math.max(sumCells(all, 'expected'), 1e-9);
  for (const cell of cells) cell.expected = isSite ? cell.expected * factor : cell.after;
}

const sumCells = (cells: Cell[], what: 'before' | 'after' | 'expected'): number =>
  cells.reduce((sum, cell) => sum + cell[what], 0);

const isPart = (values: Slice, slice: Slice): boolean =>
  (Object.keys(slice) as (keyof Slice)[]).every((name) => values[name] === slice[name]);

/**
 * Whether a slice can be a cause. "Without a link" and "unknown" cannot: they change with
 * everything else, and the team cannot act on them.
 */
const isCause = (slice: Slice): boolean =>
  Object.values(slice).every((value) => value !== NONE && value !== 'unknown');

/** Lists the slices that contain cells, each with its cells and its correction. */
function listCandidates(cells: Cell[]): Candidate[] {
  const byKey = new Map<string, { slice: Slice; family: string; cells: Cell[] }>();
  for (const cell of cells)
    for (const { key, names } of cell.combination.keys) {
      const slice = pickValues(cell.combination.slice, names);
      const entry = byKey.get(key) ?? { slice, family: names.join(), cells: [] as Cell[] };
      byKey.set(key, entry);
      entry.cells.push(cell);
    }
  const found = [...byKey.values()].filter(({ slice, cells: own }) => {
    const events = own.reduce((sum, cell) => sum + Math.max(cell.after, cell.expected), 0);
    return isCause(slice) && events >= LEAST_COUNT;
  });
  const families = Map.groupBy(found, ({ family }) => family);
  return found.map(({ slice, family, cells: own }) => {
    const logCorrection = logCorrectionOf(family, families.get(family)?.length ?? 1);
    return { slice, cells: own, logCorrection };
  });
}
