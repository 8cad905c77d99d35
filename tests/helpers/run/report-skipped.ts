interface Options {
  /** False for material that CI does not have either. */
  failsOnCi?: boolean;
}

/**
 * Reports a test that cannot run on this machine. `npm test` repeats these lines in its summary.
 *
 * @param what for example "cluster tests" @param reason for example "PostgreSQL is missing"
 * @throws on CI, where a skipped test is a failure, unless an option says otherwise
 */
export function reportSkipped(
  what: string,
  reason: string,
  { failsOnCi = true }: Options = {},
): void {
  const line = `SKIPPED: ${what}, because ${reason}`;
  if (process.env.CI && failsOnCi) throw new Error(line);
  process.stderr.write(`${line}\n`);
}
