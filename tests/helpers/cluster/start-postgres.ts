/** Vitest's global setup: one PostgreSQL for all test files. Each test makes its own database (databases.ts). */
import type { TestProject } from 'vitest/node';
import { findPostgres } from '../run/find-programs.ts';
import { reportSkipped } from '../run/report-skipped.ts';
import { startPostgres } from './postgres.ts';

export default async function start({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!findPostgres()) {
    reportSkipped('the tests of clicks on PostgreSQL', 'PostgreSQL is missing');
    provide('postgresUrl', null);
    return async () => {};
  }
  // No test of this run ends PostgreSQL, so nothing needs to be on the disk.
  const postgres = await startPostgres({
    settings: ['fsync=off', 'full_page_writes=off', 'max_connections=300'],
  });
  provide('postgresUrl', postgres.url('postgres'));
  return postgres.remove;
}
