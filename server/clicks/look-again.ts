/**
 * Checks again whether the server can write clicks, for supervisors that call /healthz. A check writes to the disk and
 * queues with the clicks. It runs at most once a second, and no request waits for it longer than ANSWER_MS.
 */

/** A supervisor gives up after a second or more. */
const ANSWER_MS = 800;
const EVERY_MS = 1000;

/**
 * @param look the check; must not reject
 * @param now monotonic milliseconds
 * @returns a function that resolves after a check, after ANSWER_MS, or at once if the last check is fresh
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
