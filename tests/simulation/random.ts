/**
 * The only source of random numbers in a run. Each step sets its own seed, so that a step draws the
 * same numbers when other steps are left out.
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
  /** Returns a UUID of version 4. */
  uuid(): string {
    const hex = Buffer.from(random.bytes(16)).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  },
};
