/**
 * The only random source of a run. Each step begins with a seed of its own, so that a shorter list
 * of steps draws the same.
 */
import { randomNumbers } from '../helpers/run/random-numbers.ts';

let numbers = randomNumbers(0);

export const random = {
  /** @param seed a whole number below 2^32 */
  reseed(seed: number): void {
    numbers = randomNumbers(seed);
  },
  /** Returns a number from 0 to below 1. */
  next: (): number => numbers(),
  chance: (probability: number): boolean => numbers() < probability,
  pick: <T>(list: readonly T[]): T => list[Math.floor(numbers() * list.length)] as T,
  bytes: (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => Math.floor(numbers() * 256)),
};
