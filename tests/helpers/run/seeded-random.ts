import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { randomNumbers } from './random-numbers.ts';

/**
 * Returns a source of random numbers from 0 to below 1 for the running test. If the test fails, its
 * seed is printed; with that seed in the variable SEED, a run gets the same numbers.
 */
export function seededRandom(): () => number {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
  onTestFailed(() => void process.stderr.write(`Repeat it with SEED=${seed}\n`));
  return randomNumbers(seed);
}
