/** Runs the program `site` as an operator does. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** @param env the server's settings */
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

/** @returns what the program printed, and its exit code */
export async function runSite(args: string[], env: Record<string, string> = {}) {
  const child = spawnSite(args, env);
  const read = (stream: NodeJS.ReadableStream) =>
    Array.fromAsync(stream).then((parts) => parts.join(''));
  const [out, err, [code]] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { out, err, code };
}
