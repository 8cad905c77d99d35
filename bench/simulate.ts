/**
 * Runs new seeds of the simulation on all processors: the site's own browser code, server and SQL,
 * with a virtual clock and every fault. The first seed is random and printed, so that each run
 * tries others. With `--plant` it plants faults instead, and tries each with so many seeds.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { plantFaults } from './plant-faults.ts';

/** Chooses the drawn faults of `--plant`, unless another seed is given with `--from`. */
const DRAW_SEED = 2026;

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
  const all = await Promise.all(
    Array.from({ length: processes }, (_, i) => simulate(from + i * share, share)),
  );
  const total: Record<string, number> = {};
  for (const { failed: _, seconds: __, ...figures } of all)
    for (const [name, n] of Object.entries(figures)) total[name] = (total[name] ?? 0) + n;
  const failed = all.flatMap((one) => one.failed);
  const seconds = Math.max(...all.map((one) => one.seconds ?? 0));
  process.stdout.write(`${JSON.stringify({ ...total, failed, seconds })}\n`);
  process.exit(failed.length > 0 ? 1 : 0);
}

/** Runs the seeds from this one on, and prints the steps of those that fail. */
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
