/**
 * Tests that need PostgreSQL, Redis and nginx: real ones, each started by the test that uses it. On a machine that has
 * none, and where none can be installed, they do not run, and it says so.
 */
import { defineConfig } from 'vitest/config';
import { findLogrotate } from '../helpers/logrotate.ts';
import { findNginx } from '../helpers/nginx.ts';
import { findPostgres } from '../helpers/postgres.ts';
import { findRedis } from '../helpers/redis.ts';

const missing = Object.entries({
  PostgreSQL: findPostgres(),
  Redis: findRedis(),
  nginx: findNginx(),
}).flatMap(([name, program]) => (program ? [] : [name]));
if (missing.length > 0) {
  process.stderr.write(
    `NOT RUN: the tests of several servers, for want of ${missing.join(', ')} (npm run install:servers)\n`,
  );
}
const withoutRotation = findLogrotate() ? [] : ['tests/cluster/logrotate.test.ts'];
if (withoutRotation.length > 0) {
  process.stderr.write(
    'NOT RUN: the rotation of ledgers, for want of logrotate (npm run install:servers)\n',
  );
}

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: missing.length > 0 ? [] : ['tests/cluster/**/*.test.ts'],
    exclude: withoutRotation,
    passWithNoTests: missing.length > 0,
    allowOnly: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
