/** Runs commands one after the other, and records their results. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

export interface Step {
  name: string;
  command: readonly string[];
}

type Result = Awaited<ReturnType<typeof runStep>>;

const FAILURE = /^\s*(FAIL |\d+\) (\[|tests\/))/;

/**
 * Runs each step after the one before it, which may fail.
 *
 * @param write called with each printed line, prefixed with the name of its step
 */
export async function runSteps(steps: readonly Step[], write: (line: string) => void) {
  const results: Result[] = [];
  for (const step of steps) results.push(await runStep(step, write));
  return results;
}

async function runStep({ name, command }: Step, write: (line: string) => void) {
  const begin = performance.now();
  /** Lines that report a test that cannot run on this machine. */
  const skipped: string[] = [];
  /** Lines with which vitest and Playwright name a failed test. */
  const failures: string[] = [];
  const take = (line: string) => {
    write(`${name} | ${line}`);
    const plain = stripVTControlCharacters(line);
    if (plain.startsWith('SKIPPED: ') && !skipped.includes(plain)) skipped.push(plain);
    if (FAILURE.test(plain) && !failures.includes(plain.trim())) failures.push(plain.trim());
  };
  const passed = await new Promise<boolean>((resolve) => {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', take);
    child.on('error', (cause) => {
      take(`${program} cannot be started: ${cause.message}`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
  return { name, passed, skipped, failures, seconds: (performance.now() - begin) / 1000 };
}

/** @param onCi counts a skipped test as a failure */
export const hasPassed = (results: readonly Result[], onCi: boolean): boolean =>
  results.every(({ passed, skipped }) => passed && !(onCi && skipped.length > 0));

/**
 * The last lines of `npm test`: each step with its outcome and time, the failed tests, and the
 * skipped ones.
 */
export function summarize(results: readonly Result[], seconds: number): string {
  const lines = results.map(({ name, passed, seconds: own }) => {
    const outcome = passed ? 'passed' : 'FAILED';
    return `  ${outcome}  ${name.padEnd(12)}  ${own.toFixed(0).padStart(4)} s`;
  });
  const failed = results.filter(({ passed }) => !passed);
  const names = failed.map(({ name }) => name);
  const verdict = failed.length > 0 ? `FAILED: ${names.join(', ')}` : 'All passed';
  const skipped = new Set(results.flatMap((result) => result.skipped));
  const failures = failed.flatMap((result) => result.failures);
  const minutes = `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return ['', ...lines, ...failures, ...skipped, `${verdict}, in ${minutes}`, ''].join('\n');
}
