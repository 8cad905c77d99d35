/**
 * Runs seeds of the simulation one after the other. Prints each failing seed, for the first one the
 * shortest list of steps that still fails, and a line of JSON with all figures. Exits with 1 if a
 * seed has failed.
 *
 * Run: node tests/simulation/simulate.ts [--from 1] [--seeds 60] [--quick | --count] [--trace]
 *
 * - --quick: ends at the first failing seed, and does not shorten its steps
 * - --count: runs every seed, however many fail, and does not shorten their steps
 * - --trace: prints each step and its time
 */
import './clock.ts';
import './disk.ts';
import { parseArgs } from 'node:util';
import { runSeed, stepsOf } from './run-seed.ts';
import { shrink } from './shrink.ts';
import { makeRoot } from './site.ts';

/** The program ends after so many failing seeds, because they most likely have one cause. */
const MOST_FAILED = 3;

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '60' },
    quick: { type: 'boolean', default: false },
    count: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const realSeconds = () => Number(process.hrtime.bigint()) / 1e9;
const site = makeRoot();

/** Returns the kind of a fault: its sentence up to the id. */
const kindOf = (fault: string | undefined): string | undefined => fault?.split(':')[0];

/** Prints the shortest list of a seed's steps that still has a fault of the same kind. */
async function explain(seed: number, fault: string | undefined): Promise<void> {
  const fails = async (steps: ReturnType<typeof stepsOf>) => {
    const { faults } = await runSeed(seed, steps, site);
    return faults.some((one) => kindOf(one) === kindOf(fault));
  };
  const short = await shrink(stepsOf(seed), fails);
  print(`The shortest list of steps that fails has ${short.length} of them:`);
  const { faults } = await runSeed(seed, short, { ...site, trace: print });
  print(['Then:', ...faults.map((fault) => `  ${fault}`)].join('\n'));
}

/** Returns the number of failing seeds after which the program ends. */
function mostFailed(): number {
  if (values.count) return Number.POSITIVE_INFINITY;
  return values.quick ? 1 : MOST_FAILED;
}

const begun = realSeconds();
const from = Number(values.from);
const total: Record<string, number> = {};
const failed: number[] = [];
const isExplained = !values.quick && !values.count;
for (let n = 0; n < Number(values.seeds) && failed.length < mostFailed(); n += 1) {
  const seed = from + n;
  const trace = values.trace ? { trace: print } : {};
  const { faults, figures } = await runSeed(seed, stepsOf(seed), { ...site, ...trace });
  for (const [name, figure] of Object.entries({ seeds: 1, ...figures }))
    total[name] = (total[name] ?? 0) + figure;
  if (faults.length === 0) continue;
  failed.push(seed);
  print(`Seed ${seed} fails:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  if (isExplained && failed.length === 1) await explain(seed, faults[0]);
}
const rounded = Object.entries(total).map(([name, figure]) => [name, Math.round(figure)]);
const seconds = Math.round(realSeconds() - begun);
print(JSON.stringify({ ...Object.fromEntries(rounded), failed, seconds }));
process.exit(failed.length > 0 ? 1 : 0);
