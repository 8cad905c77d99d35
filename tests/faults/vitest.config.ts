/**
 * The fault tests kill real processes, fill disks and remove files. Without PostgreSQL, Caddy,
 * Prometheus or systemd the run skips the tests that need the program and reports it. On CI that is
 * a failure.
 */
import { defineConfig } from 'vitest/config';
import { findPostgres, findProgram, reportSkipped } from '../helpers/run/find-programs.ts';

const isMissing = (program: string, found: string | null, what: string) => {
  if (found === null) reportSkipped(what, `${program} is missing`);
  return found === null;
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
    // These tests mostly wait for time limits and ending processes, and need little CPU.
    maxWorkers: 4,
    // Upper bounds for a busy machine. Each wait ends with its event.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // The default is 1 s, which a busy machine exceeds.
    expect: { poll: { timeout: 120_000 } },
  },
});
