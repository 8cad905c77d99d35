/** Two clocks: the one that people set, and one that only ever goes forward at its own pace. */
export interface Clock {
  /** Milliseconds since 1970. It may jump when somebody, or a time server, sets it. */
  now(): number;
  /** Milliseconds since an arbitrary moment; the same moment in all threads of the process. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint() / 1_000_000n),
};
