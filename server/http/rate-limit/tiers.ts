/**
 * Counts a request for its visitor's address, for the network around it and for all visitors together. A sender with an IPv6 /48
 * has 65,536 /64s. Limits per /64 would not stop it, and its keys would push each other out of memory.
 */
import { networkKey, rateLimitKey } from '../address.ts';
import { type Counted, createMemoryCounter } from './memory-counter.ts';

/** One tier of counting. A request must be within the limit of each tier. */
export interface Tier {
  /** Distinguishes the tiers' counters in Redis. */
  name: string;
  keyOf(address: string): string;
  /** The tier's limit, as a multiple of one address's limit. */
  factor: number;
}

/** From the narrowest to the widest. */
export const TIERS: readonly Tier[] = [
  { name: 'line', keyOf: rateLimitKey, factor: 1 },
  // A provider may put a city behind one IPv4 /24.
  { name: 'network', keyOf: networkKey, factor: 10 },
  { name: 'everyone', keyOf: () => 'all', factor: 100 },
];

/** @param max requests per window and address; the result's `current` is above it if any tier is over its limit */
export type CountTiers = (address: string, windowMs: number, max: number, now?: number) => Counted;

/** Each tier has a table of its own, so that many addresses do not push a network out of memory. */
export function createTieredCounter(): CountTiers {
  const counters = TIERS.map((tier) => ({ ...tier, count: createMemoryCounter() }));
  return function countTiers(address, windowMs, max, now = Date.now()) {
    let line: Counted | null = null;
    for (const { keyOf, factor, count } of counters) {
      const counted = count(keyOf(address), windowMs, now);
      line ??= counted;
      // A request over the limit of one tier does not count in the wider tiers. One address cannot use up its network's limit.
      if (counted.current > max * factor) return { current: max + 1, ttl: counted.ttl };
    }
    return line ?? { current: 0, ttl: windowMs };
  };
}
