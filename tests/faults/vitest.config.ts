/**
 * Vitest's configuration for the fault tests, which kill real processes, fill disks and remove
 * files. If PostgreSQL, Caddy, Prometheus or systemd is missing, the run skips the tests that need
 * it and reports that. On CI, a missing program is a failure.
 */
import { defineConfig } from 'vitest/config';
import { findPostgres, findProgram, reportSkipped } from '../helpers/run/find-programs.ts';

/**
 * Reports the skipped tests if the program was not found. @param path of the program; null: none
 */
const isMissing = (program: string, path: string | null, skippedTests: string) => {
  if (path === null) reportSkipped(skippedTests, `${program} is missing`);
  return path === null;
};
const noPostgres = isMissing('PostgreSQL', findPostgres(), 'cluster tests');
const noCaddy = isMissing('Caddy', findProgram('caddy'), 'two servers behind Caddy');
const noPrometheus = isMissing('Prometheus', findProgram('promtool'), 'the alerts');
const noSystemd = isMissing('systemd', findProgram('systemd-analyze'), "the unit's exposure");
const skipped = [
  ...(noPostgres ? ['tests/faults/postgres*.test.ts'] : []),
  ...(noCaddy ? ['tests/faults/caddy.test.ts'] : []),
  ...(noPostgres || noCaddy || noPrometheus || noSystemd ? ['tests/faults/deploy.test.ts'] : []),
];

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['tests/faults/**/*.test.ts'],
    exclude: skipped,
    allowOnly: false,
    // Four files run at a time: they mostly wait for timeouts and processes, and need little CPU.
    maxWorkers: 4,
    // Generous timeouts for a busy machine. A wait ends as soon as its event has happened.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // By default, `expect.poll` gives up after 1 s, which is too short on a busy machine.
    expect: { poll: { timeout: 120_000 } },
  },
});
