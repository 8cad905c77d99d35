/**
 * `npm test`: builds the site, installs the programs for the tests, and runs every suite. A failing suite does not stop the
 * others. Prints a summary. Exits with 1 if a test failed, and on CI also if a test was skipped.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { runSteps, type Step } from './run-steps.ts';
import { hasPassed, summarize } from './summary.ts';

/** The sites that several suites need, built once in this run. */
const BUILDS = 'node_modules/.cache/e2e';
const npm = (name: string, after: string[], env?: Record<string, string>): Step => ({
  name,
  command: ['npm', 'run', '--silent', name],
  after,
  ...(env && { env }),
});

const STEPS: readonly Step[] = [
  npm('test:install', []),
  npm('build', []),
  // The server tests mostly wait for disks, timers and processes, so the browser tests run at the same time.
  npm('test:unit', ['test:install', 'build'], { E2E_BUILDS: BUILDS }),
  npm('test:server-faults', ['test:install', 'test:unit']),
  npm('test:cluster', ['test:install', 'test:server-faults']),
  npm('test:e2e', ['test:install', 'build'], { E2E_BUILDS: BUILDS }),
  npm('test:engines', ['test:e2e'], { E2E_BUILDS: BUILDS }),
];

// Hundreds of processes start during the run. Node then compiles each module once.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node');
rmSync(BUILDS, { recursive: true, force: true });
if (process.stdout.isTTY) process.env.FORCE_COLOR = '1';
const results = await runSteps(STEPS, (line) => process.stdout.write(`${line}\n`));
process.stdout.write(summarize(results, performance.now() / 1000));
process.exitCode = hasPassed(results, Boolean(process.env.CI)) ? 0 : 1;
