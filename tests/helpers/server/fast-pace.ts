/** The forwarder's waits, short enough for a test. Every click is due at once. */
export const FAST_PACE = {
  ...{ ageMs: 0, pollMs: 5, firstPauseMs: 5, longestPauseMs: 20, quotaPauseMs: 20 },
  ...{ firstDelayMs: 20, longestDelayMs: 50 },
};
