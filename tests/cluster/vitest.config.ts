/**
 * Tests that start a real PostgreSQL and Caddy. Without these programs the run skips the tests and reports it. On CI that is a
 * failure.
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
  skip('cluster tests', 'PostgreSQL', 'tests/cluster/{cluster,postgres-*}.test.ts');
if (!findCaddy()) skip('two servers behind Caddy', 'Caddy', 'tests/cluster/cluster.test.ts');
if (!hasPrometheus()) skip('the alerts', 'Prometheus', 'tests/cluster/alerts.test.ts');

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['tests/cluster/**/*.test.ts'],
    exclude: skipped,
    passWithNoTests: true,
    allowOnly: false,
    maxWorkers: 2,
    // Upper bounds for a busy machine. Each wait ends with its event.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
