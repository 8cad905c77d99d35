/**
 * `npm test`: builds the site, installs the programs for the tests, and runs every suite. A failing suite does not stop the
 * others. Prints a summary. Exits with 1 if a test failed, and on CI also if a test was skipped.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { hasPassed, runSteps, type Step, summarize } from './run-steps.ts';

/** The sites that several suites need, built once in this run. */
const BUILDS = 'node_modules/.cache/e2e';
const npm = (name: string, after: string[]): Step => ({
  name,
  command: ['npm', 'run', '--silent', name],
  after,
});
const node = (name: string, args: string[], after: string[]): Step => ({
  name,
  command: [process.execPath, ...args],
  after,
});

const STEPS: readonly Step[] = [
  node('install', ['tests/helpers/run/ensure-needs.ts'], []),
  npm('build', []),
  // The server tests mostly wait for disks, timers and processes, so the browser tests run at the same time.
  npm('test:unit', ['install', 'build']),
  npm('test:faults', ['test:unit']),
  npm('test:e2e', ['install', 'build']),
  node('engines', ['--test', 'tests/e2e/engines.test.ts'], ['test:e2e']),
];

// Hundreds of processes start during the run. Node then compiles each module once.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node');
process.env.E2E_BUILDS = BUILDS;
rmSync(BUILDS, { recursive: true, force: true });
if (process.stdout.isTTY) process.env.FORCE_COLOR = '1';
const results = await runSteps(STEPS, (line) => process.stdout.write(`${line}\n`));
process.stdout.write(summarize(results, performance.now() / 1000));
process.exitCode = hasPassed(results, Boolean(process.env.CI)) ? 0 : 1;
