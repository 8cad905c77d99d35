import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openQuarantine } from '../../../server/clicks/rejected-bodies.ts';
import { makeDataDir, readLines } from '../../helpers/server/server-app.ts';

const refusal = (body: string | null) => ({
  reason: 'validation_failed',
  body,
  contentType: 'application/json',
  remote_ip: null,
  received_at: '2026-01-31T09:30:00.000Z',
});

test('keeps the newest entries within its size', async () => {
  const path = join(makeDataDir(), 'refused.jsonl');
  const quarantine = openQuarantine(path, 20_000, (error) => {
    throw error;
  });
  for (let n = 0; n < 200; n += 1) {
    quarantine.add(refusal(`${n} ${'x'.repeat(500)}`));
    await quarantine.drain();
  }
  const all = [...readLines(`${path}.1`), ...readLines(path)];
  expect(statSync(path).size + statSync(`${path}.1`).size).toBeLessThanOrEqual(20_000);
  expect(all.at(-1)?.body).toMatch(/^199 /);
  expect(all.length).toBeGreaterThan(15);
});

test('cuts a body at 4 KB and keeps it valid', async () => {
  const path = join(makeDataDir(), 'refused.jsonl');
  const quarantine = openQuarantine(path, 1e6, () => {});
  quarantine.add(refusal(`${'x'.repeat(4095)}\u{1f499} and more`));
  quarantine.add(refusal(null));
  await quarantine.drain();
  expect(readLines(path)).toMatchObject([{ body: `${'x'.repeat(4095)}\ufffd` }, { body: null }]);
});

test('tells when it cannot write, and goes on', async () => {
  const folder = makeDataDir();
  writeFileSync(join(folder, 'file'), '');
  const failures: unknown[] = [];
  const quarantine = openQuarantine(join(folder, 'file', 'refused.jsonl'), 1e6, (error) =>
    failures.push(error),
  );
  quarantine.add(refusal('x'));
  await quarantine.drain();
  expect(failures).toHaveLength(1);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('');
});
