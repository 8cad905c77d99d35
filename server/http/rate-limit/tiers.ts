/**
 * Counts a request for its visitor's line, for the network around it and for all visitors together. A sender with a
 * whole IPv6 /48 has 65,536 lines: their limits alone would stop nothing, and so many keys push each other out of memory.
 */
import { networkKey, rateLimitKey } from '../address.ts';
import { type Counted, createMemoryCounter } from './memory-counter.ts';

/** One tier of counting; a request must be within the limit of each. */
export interface Tier {
  /** Distinguishes the tiers' counters where they share a Redis. */
  name: string;
  keyOf(address: string): string;
  /** Its limit, in multiples of a line's. */
  factor: number;
}

/** From the narrowest to the widest. */
export const TIERS: readonly Tier[] = [
  { name: 'line', keyOf: rateLimitKey, factor: 1 },
  // A provider may put a city behind one IPv4 /24.
  { name: 'network', keyOf: networkKey, factor: 10 },
  { name: 'everyone', keyOf: () => 'all', factor: 100 },
];

/** @param max requests per window and line; the result's `current` is above it where any tier is over its limit */
export type CountTiers = (address: string, windowMs: number, max: number, now?: number) => Counted;

/** Each tier has a table of its own, so that a flood of lines pushes no network out. */
export function createTieredCounter(): CountTiers {
  const counters = TIERS.map((tier) => ({ ...tier, count: createMemoryCounter() }));
  return function countTiers(address, windowMs, max, now = Date.now()) {
    let line: Counted | null = null;
    for (const { keyOf, factor, count } of counters) {
      const counted = count(keyOf(address), windowMs, now);
      line ??= counted;
      // What one tier refuses does not use up the wider ones: a single line cannot spend its network's allowance.
      if (counted.current > max * factor) return { current: max + 1, ttl: counted.ttl };
    }
    return line ?? { current: 0, ttl: windowMs };
  };
}
