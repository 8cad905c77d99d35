/** A time limit for the database, for work that a visitor's browser waits for. */

const LIMIT_MS = 500;
/** After a failure, the database is not asked for this time. */
const PAUSE_MS = 1000;

/** Runs work on the database. @throws (rejects with) its error, or an Error after the limit */
export type Within = <T>(work: () => Promise<T>) => Promise<T>;

export function createTimeLimit(limitMs = LIMIT_MS, now = () => performance.now()): Within {
  let failed: { cause: unknown; at: number } | null = null;
  return async (work) => {
    if (failed && now() - failed.at < PAUSE_MS) throw failed.cause;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const limit = setTimeout(
      () => reject(new Error('The receipts did not answer in time.')),
      limitMs,
    );
    try {
      const result = await Promise.race([work(), late]);
      failed = null;
      return result;
    } catch (cause) {
      failed = { cause, at: now() };
      throw cause;
    } finally {
      clearTimeout(limit);
    }
  };
}
