/** Draws random values from distributions. The same seed gives the same values. */

export interface Random {
  /** Draws from a uniform distribution. */
  between(low: number, high: number): number;
  /** Draws from a normal distribution with mean 0 and standard deviation 1. */
  normal(): number;
  /** Draws from a Poisson distribution. */
  poisson(mean: number): number;
  /** Draws an index, with a probability in proportion to its weight. */
  pick(weights: readonly number[]): number;
}

/** Above this mean, a Poisson distribution is drawn as a normal one. */
const LARGE = 60;

export function makeRandom(seed: number): Random {
  const next = sfc32(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    between: (low, high) => low + (high - low) * next(),
    normal,
    poisson(mean) {
      if (mean > LARGE) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      let n = -1;
      const limit = Math.exp(-mean);
      for (let product = 1; product > limit; n++) product *= next();
      return Math.max(0, n);
    },
    pick(weights) {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0);
      const found = weights.findIndex((weight) => {
        left -= weight;
        return left < 0;
      });
      return Math.max(0, found);
    },
  };
}

/**
 * The generator "Small Fast Counter" of PractRand. (The simpler Mulberry32 gives days that are five
 * standard deviations from the mean.)
 */
function sfc32(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 20; i++) next();
  return next;
}
