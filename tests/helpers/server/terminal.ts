/** Programs in a terminal of their own, by way of script(1) of util-linux. */
import { spawn, spawnSync } from 'node:child_process';
import { onTestFinished, test } from 'vitest';
import { reportSkipped } from '../run/report-skipped.ts';

/** Starts the command. Its standard output is what the terminal shows, as text. The test's end kills it. */
export function spawnInTerminal(command: string, env: Record<string, string>) {
  // Node drops its colours where CI is set, and keeps them everywhere with FORCE_COLOR.
  const { CI: _, FORCE_COLOR: __, NO_COLOR: ___, ...own } = process.env;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...own, TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8');
  onTestFinished(() => void child.kill());
  return child;
}

/** A test that runs where the system has a terminal to give. A minimal container has none. @param what names it in the report */
export function testInTerminal(what: string, run: () => Promise<void>): void {
  const trial = spawnSync('script', ['--quiet', '--return', '--command', 'true', '/dev/null']);
  const hasTerminal = trial.status === 0;
  if (!hasTerminal) reportSkipped(what, 'the system gives no terminal', { failsOnCi: false });
  test.runIf(hasTerminal)(what, run);
}
