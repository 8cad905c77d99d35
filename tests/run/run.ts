/**
 * `npm test`: builds the site, installs the programs for the tests, and runs every suite. A failing
 * suite does not stop the others. Prints a summary. Exits with 1 if a test failed, and on CI also
 * if a test was skipped.
 */
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { hasPassed, runSteps, type Step, summarize } from './run-steps.ts';

const INSTALL = [process.execPath, 'tests/helpers/run/ensure-needs.ts'];
const ENGINES = ['npx', 'playwright', 'test', '--project=engines'];
const npm = (name: string): Step => ({ name, command: ['npm', 'run', '--silent', name] });
const run = (...steps: Step[]) => runSteps(steps, (line) => process.stdout.write(`${line}\n`));

// The server reads reports at this priority. Under a run of the usual one, its tests would wait for
// minutes on a busy machine.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// Hundreds of processes start during the run. Node then compiles each module once.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node');
if (process.stdout.isTTY) process.env.FORCE_COLOR = '1';
const before = [run({ name: 'install', command: INSTALL }), run(npm('build'))];
const results = (await Promise.all(before)).flat();
// The server tests mostly wait for disks, timers and processes, so the browser tests run at the
// same time. The faults come last, because they have time limits.
const suites = [
  run(npm('test:unit')),
  run(npm('test:e2e'), { name: 'engines', command: ENGINES }, npm('test:faults')),
];
results.push(...(await Promise.all(suites)).flat());
process.stdout.write(summarize(results, performance.now() / 1000));
process.exitCode = hasPassed(results, Boolean(process.env.CI)) ? 0 : 1;
