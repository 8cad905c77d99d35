/** Runs a command-line program as an operator does. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * @param program the file below `cli/`
 * @param cwd the operator's folder; by default the project's
 */
export async function runCli(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<{ out: string; err: string; code: number | null }> {
  const child = spawn(process.execPath, [resolve('cli', program), ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill());
  const read = (stream: NodeJS.ReadableStream) =>
    Array.fromAsync(stream).then((parts) => parts.join(''));
  const [out, err, code] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { out, err, code };
}
