/** Runs commands of the program `site`. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { onTestFinished, vi } from 'vitest';
import { runCommand } from '../../../server/commands/site.ts';

/** Runs a command in a process of its own. @param env the server's settings */
export function spawnSite(
  args: string[],
  env: Record<string, string>,
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ['server/commands/site.ts', ...args], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/**
 * Runs a command in the test's process, which is faster. Only one may run at a time.
 *
 * @returns standard output and standard error, and the exit code
 */
export const runSite = (args: string[], env: Record<string, string> = {}) =>
  runPrinting(() => runCommand(args), env);

/**
 * Runs the function of a command in the test's process, with these environment variables.
 *
 * @returns standard output and standard error, and the exit code
 */
export async function runPrinting(run: () => Promise<void>, env: Record<string, string>) {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // Commander calls `process.exit` after a wrong option. Throwing ends the command instead.
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('process.exit');
  });
  const written = (spy: typeof out) => spy.mock.calls.map(([text]) => text).join('');
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    await run();
    const code = Number(exit.mock.calls[0]?.[0] ?? process.exitCode ?? 0);
    return { out: written(out), err: written(err).replace(/process\.exit\n$/, ''), code };
  } finally {
    process.exitCode = undefined;
    process.env = before;
    for (const spy of [out, err, exit]) spy.mockRestore();
  }
}
