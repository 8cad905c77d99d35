/**
 * Reports a test that cannot run on this machine. `npm test` repeats these lines in its summary.
 *
 * @param what for example "cluster tests" @param reason for example "PostgreSQL is missing"
 * @throws on CI, where a skipped test is a failure
 */
export function reportSkipped(what: string, reason: string): void {
  const line = `SKIPPED: ${what}, because ${reason}`;
  if (process.env.CI) throw new Error(line);
  process.stderr.write(`${line}\n`);
}
