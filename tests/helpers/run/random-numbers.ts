/** Returns a source of random numbers from 0 to below 1. The same seed gives the same numbers. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  // The generator is Mulberry32. Its 32 bits of state are enough to choose examples.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
