/**
 * Vitest's global setup: the site in dist if there is no build, as in a new clone, and one PostgreSQL for all test files. Each test
 * makes its own database (databases.ts).
 */
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../cluster/postgres.ts';
import { build, isBuilt } from './build.ts';
import { findPostgres, reportSkipped } from './find-programs.ts';

export default async function setUp({ provide }: TestProject) {
  const dist = process.env.DIST_DIR ?? 'dist';
  if (!isBuilt(dist)) {
    process.stdout.write(`There is no build in ${dist}: running npm run build\n`);
    await build(dist);
  }
  if (!findPostgres()) {
    reportSkipped('the tests of clicks on PostgreSQL', 'PostgreSQL is missing');
    return provide('postgresUrl', null);
  }
  // No test of this run ends PostgreSQL, so nothing needs to be on the disk.
  const postgres = await startPostgres({
    settings: ['fsync=off', 'full_page_writes=off', 'max_connections=300'],
  });
  provide('postgresUrl', postgres.url('postgres'));
  return postgres.remove;
}
