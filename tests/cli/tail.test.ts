import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { spawnInTerminal, testInTerminal } from '../helpers/server/terminal.ts';

const minute = (n: number) => `2026-01-31T09:${String(n).padStart(2, '0')}:00.000Z`;
const at = (n: number, parts = {}) => line(n, { received_at: minute(n), ...parts });
const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

const tail = (args: string[], dataDir: string, env = {}) =>
  runCli('clicks.ts', ['tail', ...args], { DATA_DIR: dataDir, ...env });

const onTerminal = async (dataDir: string, env: Record<string, string> = {}) => {
  const command = `${process.execPath} cli/clicks.ts tail`;
  const child = spawnInTerminal(command, { DATA_DIR: dataDir, ...env });
  return (await Array.fromAsync(child.stdout)).join('').replaceAll('\r', '');
};

/** Starts `tail --follow`. @returns a function that resolves with the next line */
function follow(args: string[], dataDir: string): () => Promise<string | undefined> {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ['cli/clicks.ts', 'tail', '--follow', ...args],
    { env: { ...process.env, DATA_DIR: dataDir }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => (await lines.next()).value;
}

test('tail prints the last clicks in aligned columns, without colours and control characters in a file', async () => {
  const { dataDir } = makeLedger(
    at(1),
    at(2, { referrer: 'evil\u001b[2J', is_bot: true, remote_ip: '203.0.113.7', via: 'beacon' }),
    at(3, { referrer: null, event: 'lower_cta_click', is_mobile: true, private: true }),
  );
  const { out } = await tail(['--lines', '2'], dataDir);
  expect(out).toBe(
    `2026-01-31 09:02:00.000  hero_cta_click    evil�[2J          -        beacon  203.0.113.7      robot          ${idOf(2)}\n` +
      `2026-01-31 09:03:00.000  lower_cta_click   -                 mobile   -       -                private        ${idOf(3)}\n`,
  );
});

testInTerminal(
  'tail has colours and a head on a terminal only, and none with NO_COLOR',
  async () => {
    const { dataDir } = makeLedger(at(1));
    const colourful = await onTerminal(dataDir);
    expect(colourful).toContain('\u001b[36mhero_cta_click');
    expect(colourful).toContain('received (UTC)');
    const plain = await onTerminal(dataDir, { NO_COLOR: '1' });
    expect(plain).toContain('  hero_cta_click  ');
    expect(plain).not.toContain('\u001b[3');
  },
);

test('tail chooses by event, ref and time, over rotated and packed files and far back', async () => {
  const many = Array.from({ length: 5000 }, (_, i) => at(30, { referrer: `clinic-${i}` }));
  const { dataDir, ledger } = makeLedger(...many);
  writeFileSync(`${ledger}.2.gz`, gzipSync(`${at(1, { referrer: 'a' })}\n`));
  writeFileSync(`${ledger}.1`, `${at(2, { referrer: 'b' })}\n${at(3, { referrer: '' })}\n`);
  const refs = async (...args: string[]) => {
    const { out } = await tail(['--json', ...args], dataDir);
    return out.split('\n').flatMap((text) => (text ? [JSON.parse(text).referrer] : []));
  };
  expect(await refs('--ref', 'a', '--ref', 'b', '--ref', 'clinic-4999')).toEqual([
    ...['a', 'b', 'clinic-4999'],
  ]);
  expect(await refs('--ref', '')).toEqual(['']);
  expect(await refs('--event', 'lower_cta_click')).toEqual([]);
  expect(await refs('--since', minute(30))).toEqual(many.map((_, i) => `clinic-${i}`));
  expect(await refs('--since', minute(2), '--limit', '2')).toEqual(['b', '']);
  expect(await refs('--since', '1d')).toEqual([]);
});

test('tail --follow goes on through a rotation, with lines that the old file gets after it', async () => {
  const { dataDir, ledger } = makeLedger(at(1));
  const next = follow(['--json'], dataDir);
  expect(await next()).toBe(at(1));
  appendFileSync(ledger, `${at(2)}\n`);
  expect(await next()).toBe(at(2));
  renameSync(ledger, `${ledger}.1`);
  appendFileSync(`${ledger}.1`, `${at(3)}\n`);
  writeFileSync(ledger, `${at(4)}\n`);
  expect([await next(), await next()]).toEqual([at(3), at(4)]);
  renameSync(ledger, `${ledger}-20260131`);
  writeFileSync(ledger, `${at(5)}\n`);
  expect(await next()).toBe(at(5));
});
