import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';

/**
 * Returns a source of random numbers from 0 to below 1 for the running test. If the test fails, it prints the seed; with that seed
 * in the variable SEED, a run draws the same numbers again.
 */
export function seededRandom(): () => number {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
  onTestFailed(() => void process.stderr.write(`Repeat it with SEED=${seed}\n`));
  let state = seed;
  // Mulberry32: 32 bits of state, which is enough to choose examples.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
