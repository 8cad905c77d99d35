import { expect, test, vi } from 'vitest';
import { reportSkipped } from './report-skipped.ts';

test('reports a test that cannot run in one line, and fails on CI', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.stubEnv('CI', '');
  reportSkipped('cluster tests', 'PostgreSQL is missing');
  const line = 'SKIPPED: cluster tests, because PostgreSQL is missing';
  expect(write.mock.calls).toEqual([[`${line}\n`]]);
  vi.stubEnv('CI', 'true');
  expect(() => reportSkipped('cluster tests', 'PostgreSQL is missing')).toThrow(line);
  reportSkipped('cluster tests', 'PostgreSQL is missing', { failsOnCi: false });
  expect(write).toHaveBeenCalledTimes(2);
  vi.unstubAllEnvs();
});
