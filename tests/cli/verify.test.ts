import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { startApp } from '../helpers/server/server-app.ts';

const verify = (dataDir: string, ...args: string[]) =>
  runCli('clicks.ts', ['verify', ...args], { DATA_DIR: dataDir });
const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

/** A ledger with its index, as a server leaves them. */
async function indexed(...lines: string[]) {
  const made = makeLedger(...lines);
  await (await startApp({ dataDir: made.dataDir })).close();
  return { ...made, index: join(made.dataDir, 'site.sqlite') };
}

test('verify finds no difference in ledgers with rotated files, forgotten clicks and their indexes', async () => {
  const a = await indexed(line(1), line(2, { is_bot: true }));
  const forgotten = { forgotten_at: '2026-01-31T00:00:00.000Z' };
  const { id, event, received_at, is_bot } = JSON.parse(line(3));
  const b = await indexed(JSON.stringify({ id, event, received_at, is_bot, ...forgotten }));
  writeFileSync(`${a.ledger}.1.gz`, gzipSync(''));
  const { code, out, err } = await verify(a.dataDir, '--ledger', b.dataDir);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`${a.ledger}: 1 files, 2 lines, 2 clicks.\n`);
  expect(out).toMatch(/\nNo difference\.\n$/);
});

test('verify names lines that are no clicks, repeated ids, torn ends and damaged files', async () => {
  const { dataDir, ledger } = await indexed(line(1), line(2));
  appendFileSync(ledger, `garbage\n${line(1)}\n${line(3)}`);
  renameSync(ledger, `${ledger}.1`);
  writeFileSync(ledger, '');
  writeFileSync(`${ledger}.2.gz`, gzipSync(`${line(2)}\n`).subarray(0, 30));
  const { code, out, err } = await verify(dataDir);
  expect(code).toBe(1);
  expect(out).toContain(`Not a click: line 3 of ${ledger}.1\n`);
  expect(out).toContain(`The id ${idOf(1)} is there twice, now in line 4 of ${ledger}.1\n`);
  expect(out).toContain(`The last ${line(3).length} bytes of ${ledger}.1 are not a whole line\n`);
  expect(out).toContain(`${ledger}.2.gz is damaged`);
  expect(err).toBe('4 differences.\n');
});
