/**
 * The chance of a count that is as far from its expectation as the one that was seen. Counts have a
 * negative binomial distribution: Poisson if the expectation were known exactly, and wider, because
 * days vary more than chance and the expectation is itself an estimate.
 */

/** A count nearer than two standard deviations decides nothing, so its chance is not summed. */
const NEAR = 2;
const LOG_CHANCE_OF_NEAR = Math.log(0.1);
/** Terms this much smaller than the sum (as logarithms) change no decision. */
const NEGLIGIBLE = 12;

/**
 * @param expected mean, above 0
 * @param variation squared coefficient of variation of the expectation
 * @returns logarithm of P(X <= count) if the count is below the expectation, of P(X >= count) if it
 * is above
 */
export function logChanceOf(count: number, expected: number, variation: number): number {
  const deviation = Math.sqrt(expected + expected * expected * variation);
  if (Math.abs(count - expected) < NEAR * deviation) return LOG_CHANCE_OF_NEAR;
  const size = 1 / Math.max(variation, 1e-9);
  const step = Math.log(expected / (expected + size));
  const isRise = count > expected;
  // Each P(X = k) follows from the one before. Logarithms, because the first may be below the
  // smallest number.
  let term = -size * Math.log1p(expected / size);
  let sum = isRise ? Number.NEGATIVE_INFINITY : term;
  for (let k = 1; isRise || k <= count; k++) {
    term += Math.log((k - 1 + size) / k) + step;
    if (isRise && k < count) continue;
    sum = addLogarithms(sum, term);
    if (isRise && term < sum - NEGLIGIBLE) break;
  }
  return Math.min(0, sum);
}

/**
 * @returns what one factor explains: the logarithm of the ratio of the Poisson likelihoods with it
 * and without
 */
export const likelihoodRatio = (observed: number, expected: number): number =>
  (observed > 0 ? observed * Math.log(observed / expected) : 0) - (observed - expected);

function addLogarithms(a: number, b: number): number {
  const high = Math.max(a, b);
  return high === Number.NEGATIVE_INFINITY
    ? high
    : high + Math.log(Math.exp(a - high) + Math.exp(b - high));
}
