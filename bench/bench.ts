/**
 * `npm run bench -- NAME [options]`: measures, and prints the figures below the command that made
 * them. Needs Linux with two CPUs.
 *
 * - ingest [--seconds 8] [--postgres] [--addresses]: the cost of a click, and the memory
 * - rows [--rows 2000000] [--seconds 10]: the report of 90 days on a full table, and clicks
 *   meanwhile
 * - slow-disk [--rate 150] [--seconds 10]: clicks and pages while each fsync takes 50 ms more
 * - flood [--seconds 60]: one address sends all that it can, and the report after it
 * - standby [--seconds 90]: connections to PostgreSQL while its standby is away
 * - kills: 50 SIGKILLs under load with each database
 * - simulate [--seeds 300] [--from N] [--plant]: new seeds of the whole pipeline with a virtual
 *   clock and every fault; or which of 40 planted faults they find
 * - page [--runs 5]: the page’s speed for a visitor, next to a hand-written one
 * - causes [--sites 20] [--causes …] [--clicks 8,17,60,200] [--from SEED]: which planted causes the
 *   alerts find on invented sites, and how many mails are false, beside the rule before
 * - scroll [--runs 5] [--against URL]: what motion costs while the page is scrolled
 * - closed-tabs: 20 clicks in a Firefox without keepalive, whose tabs are closed during the
 *   request; fails if one is lost
 */
import { spawnSync } from 'node:child_process';

const BENCHES: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  ingest: () => import('./ingest.ts'),
  rows: () => import('./rows.ts'),
  'slow-disk': () => import('./slow-disk.ts'),
  flood: () => import('./flood.ts'),
  standby: () => import('./standby.ts'),
  kills: async () => ({ run: kill50 }),
  simulate: () => import('./simulate.ts'),
  page: () => import('./page.ts'),
  scroll: () => import('./scroll.ts'),
  causes: () => import('./causes.ts'),
  'closed-tabs': async () => ({ run: close20 }),
};

const [name = '', ...args] = process.argv.slice(2);
const load = BENCHES[name];
if (!load) {
  process.stderr.write(`npm run bench -- ${Object.keys(BENCHES).join('|')}\n`);
  process.exit(1);
}
const needs = ['tests/helpers/run/ensure-needs.ts', `bench ${name}`];
if (spawnSync(process.execPath, needs, { stdio: 'inherit' }).status !== 0) process.exit(1);
process.stdout.write(`\n$ npm run bench -- ${[name, ...args].join(' ')}\n\n`);
await (await load()).run(args);
process.exit();

async function close20(): Promise<void> {
  const command = ['playwright', 'test', '--project=engines', '-g', 'without keepalive'];
  const { status } = spawnSync('npx', command, {
    env: { ...process.env, TABS: '20' },
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}

async function kill50(): Promise<void> {
  const command = ['vitest', 'run', '--config', 'tests/faults/vitest.config.ts', 'kills'];
  const env = { ...process.env, KILLS: '50' };
  const { status } = spawnSync('npx', [...command, '-t', 'SIGKILL'], { env, stdio: 'inherit' });
  process.exit(status ?? 1);
}
