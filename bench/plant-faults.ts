/**
 * Measures the simulation by mutation testing: plants faults into copies of the tree, one after the
 * other, and prints which of them the simulation finds.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { copyTree } from '../tests/helpers/run/copy-tree.ts';
import { randomNumbers } from '../tests/helpers/run/random-numbers.ts';
import {
  drawFaults,
  PLANTED_FAULTS,
  type PlantedFault,
} from '../tests/simulation/planted-faults.ts';

/** Number of faults that are drawn at random, besides those of PLANTED_FAULTS. */
const DRAWN = 17;
/**
 * For each fault, all of the first so many seeds are run, to count those that find it. Further
 * seeds are run only until one finds it.
 */
const COUNTED = 300;

/**
 * Tries all faults, on all processors, and prints a line for each.
 *
 * @param drawSeed seed of the choice of the drawn faults
 * @param seeds most seeds of the simulation for each fault
 */
export async function plantFaults(drawSeed: number, seeds: number): Promise<void> {
  const read = (file: string) => readFileSync(file, 'utf8');
  const drawn = drawFaults(DRAWN, read, randomNumbers(drawSeed));
  const waiting = [...PLANTED_FAULTS, ...drawn].entries().toArray();
  process.stdout.write(
    `${waiting.length} faults, ${DRAWN} of them drawn with the seed ${drawSeed}\n`,
  );
  let found = 0;
  const work = async () => {
    const copy = copyTree();
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, fault] = next;
      const outcome = await tryFault(copy.path, fault, seeds);
      if (outcome !== null) found += 1;
      process.stdout.write(`${place + 1}. ${describe(fault)}\n   ${outcome ?? 'NOT FOUND'}\n`);
    }
    copy.remove();
  };
  const total = waiting.length;
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  process.stdout.write(`Found: ${found} of ${total}, with at most ${seeds} seeds each\n`);
}

/**
 * Plants one fault into a copy of the tree, runs the simulation there, and removes the fault.
 *
 * @returns a sentence that says how many of the first seeds found the fault, and by which
 * invariant; null if no seed found it
 */
async function tryFault(tree: string, fault: PlantedFault, seeds: number): Promise<string | null> {
  const file = join(tree, fault.file);
  const text = readFileSync(file, 'utf8');
  if (text.split(fault.search).length !== 2) return 'STALE: its file does not have the text once';
  writeFileSync(
    file,
    text.replace(fault.search, () => fault.replacement),
  );
  const counted = Math.min(COUNTED, seeds);
  const first = await simulate(tree, ['--count', '--seeds', String(counted)]);
  const further = ['--quick', '--from', String(counted + 1), '--seeds', String(seeds - counted)];
  const later = first.isFound || seeds === counted ? null : await simulate(tree, further);
  writeFileSync(file, text);
  if (first.isFound) return `in ${first.failed} of ${counted} seeds, first: ${first.reason}`;
  return later?.isFound ? `in 0 of ${counted} seeds, then: ${later.reason}` : null;
}

/**
 * Runs the simulation in a copy of the tree.
 *
 * @returns `isFound`: whether it failed, also by a crash; `failed`: number of failing seeds;
 * `reason`: the first failure
 */
async function simulate(tree: string, options: string[]) {
  const program = ['tests/simulation/simulate.ts', ...options];
  const child = spawn(process.execPath, program, { cwd: tree, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (part) => {
      printed += part;
    });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  const failing = lines.filter((line) => /^Seed \d+ fails/.test(line));
  const at = lines.indexOf(failing[0] ?? '');
  const crash = lines.some((line) => line.startsWith('{"seeds"')) ? '' : ', and the program ends';
  const reason =
    at < 0
      ? (lines.find((line) => line.includes('Error')) ?? 'no word')
      : `${lines[at]} ${lines[at + 1]?.trim().split(':')[0]}`;
  return { isFound: code !== 0, failed: failing.length, reason: reason + crash };
}

function describe({ file, search, replacement }: PlantedFault): string {
  const brief = (text: string) => text.trim().replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${file}: ${brief(search)} → ${brief(replacement) || 'nothing'}`;
}
