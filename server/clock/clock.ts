/** The wall clock and the monotonic clock. */
export interface Clock {
  /** Milliseconds since 1970. It jumps when an operator or a time server sets it. */
  now(): number;
  /** Milliseconds since an arbitrary moment, the same in all threads of the process. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint() / 1_000_000n),
};
