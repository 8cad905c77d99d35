/**
 * The fault tests kill real processes, fill disks and remove files. Without PostgreSQL, Caddy or Prometheus the run skips the tests
 * that need the program and reports it. On CI that is a failure.
 */
import { defineConfig } from 'vitest/config';
import { findCaddy } from '../helpers/cluster/caddy.ts';
import { findPostgres } from '../helpers/cluster/postgres.ts';
import { hasPrometheus } from '../helpers/cluster/prometheus.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';

const skipped: string[] = [];
const skip = (what: string, program: string, file: string) => {
  reportSkipped(what, `${program} is missing`);
  skipped.push(file);
};
if (!findPostgres())
  skip('cluster tests', 'PostgreSQL', 'tests/faults/{cluster,postgres-*}.test.ts');
if (!findCaddy()) skip('two servers behind Caddy', 'Caddy', 'tests/faults/cluster.test.ts');
if (!hasPrometheus()) skip('the alerts', 'Prometheus', 'tests/faults/alerts.test.ts');

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['tests/faults/**/*.test.ts'],
    exclude: skipped,
    allowOnly: false,
    // These tests mostly wait for time limits and ending processes, and need little CPU.
    maxWorkers: 4,
    // Upper bounds for a busy machine. Each wait ends with its event.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The default is 1 s, which a busy machine exceeds.
    expect: { poll: { timeout: 60_000 } },
  },
});
