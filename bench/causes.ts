/**
 * Measures how well the alerts of server/report/causes find planted causes on invented sites,
 * compared with the former rule. Prints the first seed, which is random by default, and a line for
 * each rule, cause and number of clicks a day:
 *
 * - found: share of the sites with a mail while the cause lasted
 * - right: share of the sites on which that mail's first fact is the cause
 * - day: median day of the first mail; 1 is the morning after the first day of the cause
 * - again: further mails about the cause for each site
 * - false: mails in a year that are about no planted cause
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Verdict } from '../tests/helpers/causes/judge.ts';
import { CAUSES, type CauseName } from '../tests/helpers/causes/planted-causes.ts';

/**
 * Factor of the number of sites without a cause: false mails are rare, so more years are needed.
 */
const QUIET_SITES_FACTOR = 3;
const RULES = ['old', 'new'] as const;
/** One line of causes-cell.ts: the verdicts about one site, by rule. */
export interface Line {
  name: CauseName;
  clicks: number;
  verdicts: Record<(typeof RULES)[number], Verdict>;
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sites: { type: 'string', default: '20' },
      /** Names of the causes to plant, with commas between them. */
      causes: { type: 'string', default: Object.keys(CAUSES).join() },
      clicks: { type: 'string', default: '8,17,60,200' },
      from: { type: 'string', default: String(randomInt(1_000_000_000)) },
    },
  });
  process.stdout.write(`Seeds from ${values.from} on, ${values.sites} sites a cell\n`);
  const cells = values.causes
    .split(',')
    .flatMap((name) => values.clicks.split(',').map((clicks) => ({ name, clicks })));
  const work = async () => {
    for (let cell = cells.shift(); cell; cell = cells.shift()) {
      const sites = Number(values.sites) * (cell.name === 'quiet' ? QUIET_SITES_FACTOR : 1);
      const lines = await judgeCell([cell.name, cell.clicks, values.from, String(sites)]);
      for (const rule of RULES) {
        const verdicts = lines.map((line) => line.verdicts[rule]);
        process.stdout.write(`${JSON.stringify({ ...cell, rule, ...summarize(verdicts) })}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** Runs causes-cell.ts in a process of its own. @returns the verdicts of each of its sites */
function judgeCell(args: string[]): Promise<Line[]> {
  const options = { stdio: ['ignore', 'pipe', 'inherit'] as const };
  const child = spawn(process.execPath, ['bench/causes-cell.ts', ...args], {
    stdio: [...options.stdio],
  });
  const lines: Line[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) lines.push(JSON.parse(line));
    else process.stdout.write(`${line}\n`);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(lines) : reject(Error(`Exit code ${code}`))));
  });
}

/** Computes the figures of a printed line. */
function summarize(verdicts: readonly Verdict[]) {
  const found = verdicts.filter(({ isFound }) => isFound);
  const percent = (n: number) => `${Math.round((100 * n) / verdicts.length)} %`;
  const sum = (pick: (one: Verdict) => number) => verdicts.reduce((all, one) => all + pick(one), 0);
  const days = found.map(({ delay }) => delay).sort((a, b) => a - b);
  return {
    found: percent(found.length),
    right: percent(verdicts.filter(({ isRight }) => isRight).length),
    day: days[days.length >> 1] ?? null,
    again: Number((sum(({ repeats }) => repeats) / Math.max(1, found.length)).toFixed(2)),
    false: Number(((365 * sum((one) => one.falseMails)) / sum((one) => one.days)).toFixed(2)),
    years: Number((sum((one) => one.days) / 365).toFixed(1)),
  };
}
