import { expect, test, vi } from 'vitest';
import { reportSkipped } from './report-skipped.ts';

test('a test that cannot run is a line of output, and on CI a failure', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.stubEnv('CI', '');
  reportSkipped('cluster tests', 'PostgreSQL is missing');
  const line = 'SKIPPED: cluster tests, because PostgreSQL is missing';
  expect(write.mock.calls).toEqual([[`${line}\n`]]);
  vi.stubEnv('CI', 'true');
  expect(() => reportSkipped('cluster tests', 'PostgreSQL is missing')).toThrow(line);
  vi.unstubAllEnvs();
});
