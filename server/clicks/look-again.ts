/**
 * Looks again whether clicks can be kept, for supervisors that ask /healthz. A look writes to the disk and takes its turn
 * among the clicks, so it happens once a second at most, and no request waits for it longer than ANSWER_MS.
 */

/** A supervisor gives up after a second or more. */
const ANSWER_MS = 800;
const EVERY_MS = 1000;

/**
 * @param look the work; must not reject
 * @param now monotonic milliseconds
 * @returns a function that resolves when a look has ended, after ANSWER_MS, or at once where the last look is fresh
 */
export function makeLookAgain(
  look: () => Promise<void>,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  let looking: Promise<void> | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const begin = () => {
    looking = look().finally(() => {
      looking = null;
      lookedAt = now();
    });
    return looking;
  };
  return async () => {
    if (!looking && now() - lookedAt < EVERY_MS) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, ANSWER_MS);
    await Promise.race([looking ?? begin(), late]);
    clearTimeout(limit);
  };
}
