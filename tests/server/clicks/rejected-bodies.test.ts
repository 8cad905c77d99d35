import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRejectedBodies } from '../../../server/clicks/rejected-bodies.ts';
import { makeDataDir, readLines } from '../../helpers/server/server-app.ts';

const rejected = (body: string | null) => ({
  reason: 'validation_failed',
  body,
  contentType: 'application/json',
  remote_ip: null,
  received_at: '2026-01-31T09:30:00.000Z',
});

test('keeps the newest entries within its size', async () => {
  const path = join(makeDataDir(), 'refused.jsonl');
  const rejectedBodies = openRejectedBodies(path, 20_000, (error) => {
    throw error;
  });
  for (let n = 0; n < 200; n += 1) {
    rejectedBodies.add(rejected(`${n} ${'x'.repeat(500)}`));
    await rejectedBodies.drain();
  }
  const all = [...readLines(`${path}.1`), ...readLines(path)];
  expect(statSync(path).size + statSync(`${path}.1`).size).toBeLessThanOrEqual(20_000);
  expect(all.at(-1)?.body).toMatch(/^199 /);
  expect(all.length).toBeGreaterThan(15);
});
