import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeLog } from '../../../server/process/make-log.ts';
import { makeDataDir, startApp } from '../../helpers/server/server-app.ts';

const messagesOf = (lines: string[]) => lines.map((line) => JSON.parse(line).msg as string);

test('a flood of refused bodies on a broken disk writes few warnings', async () => {
  const dataDir = makeDataDir();
  const today = new Date().toISOString().slice(0, 10);
  // A folder replaces the file, so that every write fails.
  mkdirSync(join(dataDir, `refused-${today}.jsonl`));
  const { app, logged } = await startApp({ dataDir, env: { RATE_LIMIT: '0' } });
  for (let n = 0; n < 200; n += 1) {
    const answer = await app.inject({ method: 'POST', url: '/api/log-cta', payload: { n } });
    expect(answer.statusCode).toBe(400);
  }
  const warnings = logged().filter(({ level }) => Number(level) >= 40);
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings.length).toBeLessThanOrEqual(10);
});

test('a summary counts the omitted lines after a minute, and the next errors are written again', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const log = makeLog('info', { write: (line) => void lines.push(line) });
  for (let n = 0; n < 500; n += 1) log.error({ n }, 'The disk is broken');
  for (let n = 0; n < 500; n += 1) log.warn(`Strange client ${n}`);
  log.info('Clicks are kept again');
  expect(messagesOf(lines)).toHaveLength(101);
  expect(messagesOf(lines).at(-1)).toBe('Clicks are kept again');
  vi.advanceTimersByTime(60_000);
  expect(messagesOf(lines).at(-1)).toBe('Left out 900 warnings and errors of the last minute');
  log.error({ n: 501 }, 'The disk is broken');
  expect(messagesOf(lines).at(-1)).toBe('The disk is broken');
  vi.useRealTimers();
});
