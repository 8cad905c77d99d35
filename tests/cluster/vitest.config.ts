/**
 * Tests that start a real PostgreSQL, Redis and nginx. Without these programs the run skips the tests and reports it. On
 * CI that is a failure.
 */
import { defineConfig } from 'vitest/config';
import { findLogrotate } from '../helpers/cluster/logrotate.ts';
import { findNginx } from '../helpers/cluster/nginx.ts';
import { findPostgres } from '../helpers/cluster/postgres.ts';
import { hasPrometheus } from '../helpers/cluster/prometheus.ts';
import { findRedis } from '../helpers/cluster/redis.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';

const servers = { PostgreSQL: findPostgres(), Redis: findRedis(), nginx: findNginx() };
const missing = Object.entries(servers).flatMap(([name, program]) => (program ? [] : [name]));
/** Files that need another program, too. */
const skipped: string[] = [];
if (missing.length > 0) reportSkipped('cluster tests', `${missing.join(', ')} is missing`);
else {
  const skip = (what: string, program: string, file: string) => {
    reportSkipped(what, `${program} is missing`);
    skipped.push(file);
  };
  if (!findLogrotate())
    skip('the rotation of ledgers', 'logrotate', 'tests/cluster/logrotate.test.ts');
  if (!hasPrometheus()) skip('the alerts', 'Prometheus', 'tests/cluster/alerts.test.ts');
}

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: missing.length > 0 ? [] : ['tests/cluster/**/*.test.ts'],
    exclude: [...skipped],
    // nginx-files.test.ts serves the built site.
    globalSetup: 'tests/helpers/run/ensure-build.ts',
    passWithNoTests: missing.length > 0,
    allowOnly: false,
    maxWorkers: 2,
    // Upper bounds for a busy machine. Each wait ends with its event.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
