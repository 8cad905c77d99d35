import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { offsetBefore } from '../../../../server/clicks/ledger/find-time.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const LINES = 20_000;
const lineAt = (n: number) =>
  `${JSON.stringify({ received_at: new Date(START + n * 1000).toISOString(), n, text: 'x'.repeat(300) })}\n`;

function makeFile(text: string, name = 'clicks.jsonl') {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('finds a time near enough, at the beginning of a line, and loses no line', () => {
  const file = makeFile(Array.from({ length: LINES }, (_, n) => lineAt(n)).join(''));
  const text = readFileSync(file, 'utf8');
  for (const n of [0, 1, 777, 9999, 15_000, LINES - 1, LINES + 10]) {
    const offset = offsetBefore(file, START + n * 1000);
    expect(offset === 0 || text[offset - 1] === '\n').toBe(true);
    const first = JSON.parse(text.slice(offset, text.indexOf('\n', offset))).n;
    expect(first).toBeLessThanOrEqual(n);
    expect(n - first).toBeLessThan(1024 ** 2 / 300);
  }
  expect(offsetBefore(file, START - 1000)).toBe(0);
});

test('reads files without times, empty files and packed files from their beginning', () => {
  expect(offsetBefore(makeFile(''), START)).toBe(0);
  expect(offsetBefore(makeFile('no json\n'.repeat(200_000)), START)).toBe(0);
  expect(offsetBefore(makeFile('packed', 'clicks.jsonl.1.gz'), START)).toBe(0);
});
