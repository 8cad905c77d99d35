/**
 * `npm test`: builds the site, installs what the tests need, and runs every suite. A suite that fails does not keep the
 * others from running. Ends with a summary, and with 1 when something failed, or on CI when something was skipped.
 */
import { rmSync } from 'node:fs';
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
  // The servers' tests wait for disks, timers and processes; meanwhile the browsers use the processor.
  npm('test:unit', ['build'], { E2E_BUILDS: BUILDS }),
  npm('test:server-faults', ['test:install', 'test:unit']),
  npm('test:cluster', ['test:install', 'test:server-faults']),
  npm('test:e2e', ['test:install', 'build'], { E2E_BUILDS: BUILDS }),
  npm('test:engines', ['test:e2e'], { E2E_BUILDS: BUILDS }),
];

rmSync(BUILDS, { recursive: true, force: true });
if (process.stdout.isTTY) process.env.FORCE_COLOR = '1';
const results = await runSteps(STEPS, (line) => process.stdout.write(`${line}\n`));
process.stdout.write(summarize(results, performance.now() / 1000));
process.exitCode = hasPassed(results, Boolean(process.env.CI)) ? 0 : 1;
