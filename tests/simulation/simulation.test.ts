import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { PLANTED_FAULTS } from './planted-faults.ts';

/** Number of seeds: they take about 20 s in two processes on two idle cores. */
const SEEDS = 60;
const PROCESSES = 2;
/** Timeout of the test, for a busy machine. */
const MOST_MS = 600_000;

/**
 * Runs seeds in a process of its own.
 *
 * @returns the lines that it prints; the last one has the figures
 */
function simulate(from: number, seeds: number): Promise<string[]> {
  const args = ['tests/simulation/simulate.ts', '--from', String(from), '--seeds', String(seeds)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(lines));
  });
}

test(
  'after any weather, each press is counted once, logged, and at PostHog or has a reason',
  async () => {
    const share = SEEDS / PROCESSES;
    const runs = Array.from({ length: PROCESSES }, (_, i) => simulate(1 + i * share, share));
    const printed = await Promise.all(runs);
    const figures = printed.map((lines) => JSON.parse(lines.at(-1) ?? '{}'));
    process.stdout.write(`Simulated: ${figures.map((one) => JSON.stringify(one)).join(' and ')}\n`);
    expect(printed.flatMap((lines) => lines.slice(0, -1))).toEqual([]);
    expect(figures.map(({ seeds }) => seeds)).toEqual(runs.map(() => share));
  },
  MOST_MS,
);

test('each planted fault can be planted: its text is in its file once', () => {
  const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const stale = PLANTED_FAULTS.filter(
    ({ file, search }) => textOf(file).split(search).length !== 2,
  );
  expect(stale).toEqual([]);
});
