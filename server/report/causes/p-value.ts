/**
 * One-sided p-values of counts, and likelihood ratios. Counts are assumed to have a negative
 * binomial distribution: a Poisson distribution whose mean varies, because days vary more than a
 * Poisson distribution says, and because the expectation is itself an estimate. Logarithms are
 * natural.
 */

/**
 * Standard deviations within which a count cannot be significant. The exact p-value is not computed
 * there, because most counts are so near to their expectation and the sum is slow.
 */
const NEAR_DEVIATIONS = 2;
/** Stands for the p-value of such a count: it is above every significance level of the engine. */
const LOG_P_VALUE_OF_NEAR = Math.log(0.1);
/**
 * Difference of logarithms from which on a term of the sum is ignored: it is below exp(-12), about
 * six millionths of the sum.
 */
const NEGLIGIBLE_LOG_DIFFERENCE = 12;

/**
 * Computes the one-sided p-value of a count: the probability of a count at least as far from its
 * expectation, in the same direction. The variance is expected + relativeVariance * expected².
 *
 * @param expected mean of the distribution, above 0
 * @param relativeVariance squared coefficient of variation of the mean
 * @returns natural logarithm of P(X <= count) if the count is below the expectation, of P(X >=
 * count) if it is above
 */
export function logPValueOf(count: number, expected: number, relativeVariance: number): number {
  const deviation = Math.sqrt(expected + expected * expected * relativeVariance);
  if (Math.abs(count - expected) < NEAR_DEVIATIONS * deviation) return LOG_P_VALUE_OF_NEAR;
  const size = 1 / Math.max(relativeVariance, 1e-9);
  const step = Math.log(expected / (expected + size));
  const isRise = count > expected;
  // P(X = k) is computed from P(X = k - 1), as a logarithm: P(X = 0) may be below the smallest
  // number that JavaScript has.
  let term = -size * Math.log1p(expected / size);
  let sum = isRise ? Number.NEGATIVE_INFINITY : term;
  for (let k = 1; isRise || k <= count; k++) {
    term += Math.log((k - 1 + size) / k) + step;
    if (isRise && k < count) continue;
    sum = addLogarithms(sum, term);
    if (isRise && term < sum - NEGLIGIBLE_LOG_DIFFERENCE) break;
  }
  return Math.min(0, sum);
}

/**
 * Computes how much better a count is explained by a changed mean than by the expected one.
 *
 * @returns natural logarithm of P(observed | mean = observed) / P(observed | mean = expected), both
 * of Poisson distributions; 0 if the count is as expected
 */
export const logLikelihoodRatio = (observed: number, expected: number): number =>
  (observed > 0 ? observed * Math.log(observed / expected) : 0) - (observed - expected);

/** Returns log(exp(a) + exp(b)), without leaving the range of numbers. */
function addLogarithms(a: number, b: number): number {
  const high = Math.max(a, b);
  return high === Number.NEGATIVE_INFINITY
    ? high
    : high + Math.log(Math.exp(a - high) + Math.exp(b - high));
}
