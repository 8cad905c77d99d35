import { test } from 'vitest';
import { reportSkipped } from '../run/report-skipped.ts';
import { findPostgres } from './postgres.ts';

/** A test that needs PostgreSQL. Without it, the run reports that the test is missing; on CI it fails. */
export function testWithPostgres(name: string, run: () => Promise<void>, limitMs?: number): void {
  if (findPostgres()) test(name, run, limitMs);
  else
    test(name, (context) => {
      reportSkipped(`"${name}"`, 'PostgreSQL is missing');
      context.skip();
    });
}
