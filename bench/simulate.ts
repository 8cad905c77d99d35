/**
 * Runs seeds of the simulation (tests/simulation) on all processors. The first seed is random by
 * default, and printed, so that each run tries new ones. With `--plant`, runs plant-faults.ts
 * instead, with at most so many seeds for each fault.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { plantFaults } from './plant-faults.ts';

/** Seed of the choice of faults for `--plant`, unless `--from` gives another one. */
const DRAW_SEED = 2026;

/** The last line that simulate.ts prints: its counts. `failed` has the seeds that failed. */
type Figures = Record<string, number> & { failed: never };

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: 'string', default: '300' },
      from: { type: 'string' },
      plant: { type: 'boolean', default: false },
    },
  });
  if (values.plant) return plantFaults(Number(values.from ?? DRAW_SEED), Number(values.seeds));
  const from = Number(values.from ?? randomInt(1_000_000));
  const processes = availableParallelism();
  const share = Math.ceil(Number(values.seeds) / processes);
  process.stdout.write(`Seeds from ${from} on\n`);
  const results = await Promise.all(
    Array.from({ length: processes }, (_, i) => simulate(from + i * share, share)),
  );
  const total: Record<string, number> = {};
  for (const { failed: _, seconds: __, ...figures } of results)
    for (const [name, n] of Object.entries(figures)) total[name] = (total[name] ?? 0) + n;
  const failed = results.flatMap((result) => result.failed);
  const seconds = Math.max(...results.map((result) => result.seconds ?? 0));
  process.stdout.write(`${JSON.stringify({ ...total, failed, seconds })}\n`);
  process.exit(failed.length > 0 ? 1 : 0);
}

/** Runs seeds in a process of its own, and prints the steps of those that fail. */
function simulate(from: number, seeds: number): Promise<Figures> {
  const options = ['--from', String(from), '--seeds', String(seeds)];
  const program = ['tests/simulation/simulate.ts', ...options];
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
  let last = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) process.stdout.write(`${line}\n`);
    last = line;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(JSON.parse(last)));
  });
}
