/**
 * `npm run bench -- NAME [options]`: runs a bench, and prints the command and its figures. Needs
 * Linux with two CPUs.
 *
 * - ingest [--seconds 8] [--postgres] [--addresses]: CPU time of a click, and the server's memory
 * - rows [--rows 2000000] [--seconds 10]: time of the report of 90 days on a full table, and of
 *   clicks while it is made
 * - slow-disk [--rate 150] [--seconds 10]: clicks and pages while each fsync takes 50 ms more
 * - flood [--seconds 60]: one address sends as much as it can; then the report is opened
 * - standby [--seconds 90]: connections to PostgreSQL while its standby is down
 * - kills: 50 SIGKILLs under load with each database
 * - simulate [--seeds 300] [--from N] [--plant]: new seeds of the simulation of the whole
 *   pipeline; with --plant, which planted faults they find
 * - page [--runs 5]: the landing page's speed, compared with a hand-written page
 * - causes [--sites 20] [--causes …] [--clicks 8,17,60,200] [--from SEED]: which planted causes
 *   the alerts find on invented sites, and how many mails are false, compared with the former rule
 * - scroll [--runs 5] [--against URL]: CPU time of the page's motion while it is scrolled
 * - closed-tabs: 20 clicks in a Firefox without keepalive, whose tabs are closed during the
 *   request; fails if a click is lost
 */
import { spawnSync } from 'node:child_process';

const BENCHES: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  ingest: () => import('./ingest.ts'),
  rows: () => import('./rows.ts'),
  'slow-disk': () => import('./slow-disk.ts'),
  flood: () => import('./flood.ts'),
  standby: () => import('./standby.ts'),
  kills: async () => ({ run: runKills }),
  simulate: () => import('./simulate.ts'),
  page: () => import('./page.ts'),
  scroll: () => import('./scroll.ts'),
  causes: () => import('./causes.ts'),
  'closed-tabs': async () => ({ run: runClosedTabs }),
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

/** Runs the test of a Firefox without keepalive with 20 tabs. */
async function runClosedTabs(): Promise<void> {
  const command = ['playwright', 'test', '--project=engines', '-g', 'without keepalive'];
  const { status } = spawnSync('npx', command, {
    env: { ...process.env, TABS: '20' },
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}

/** Runs the fault test of killed servers with 50 kills for each database. */
async function runKills(): Promise<void> {
  const command = ['vitest', 'run', '--config', 'tests/faults/vitest.config.ts', 'kills'];
  const env = { ...process.env, KILLS: '50' };
  const { status } = spawnSync('npx', [...command, '-t', 'SIGKILL'], { env, stdio: 'inherit' });
  process.exit(status ?? 1);
}
