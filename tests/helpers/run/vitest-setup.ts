/**
 * Vitest's global setup: builds the present files into dist, and starts one PostgreSQL for all test
 * files. Each test creates a database of its own in it (databases.ts).
 */
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../cluster/postgres.ts';
import { build, isFresh } from './build.ts';
import { findPostgres, reportSkipped } from './find-programs.ts';

export default async function setUp(project: TestProject) {
  await buildSite();
  // With `vitest --watch`, files change between two runs.
  project.onTestsRerun(buildSite);
  const { provide } = project;
  if (!findPostgres()) {
    reportSkipped('the tests of clicks on PostgreSQL', 'PostgreSQL is missing');
    return provide('postgresUrl', null);
  }
  // No test of this suite kills PostgreSQL, so it need not wait for the disk.
  const postgres = await startPostgres({
    settings: ['fsync=off', 'full_page_writes=off', 'max_connections=300'],
  });
  provide('postgresUrl', postgres.url('postgres'));
  return postgres.remove;
}

async function buildSite(): Promise<void> {
  const dist = process.env.DIST_DIR ?? 'dist';
  if (isFresh(dist)) return;
  process.stdout.write(
    `There is no build of the present files in ${dist}: running npm run build\n`,
  );
  await build(dist);
}
