/** Runs `--check-config` as an operator does, while servers of the test answer. */
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** @param env DIST_DIR: the folder of the build */
export async function checkConfig({ DIST_DIR = 'dist', ...env }: Record<string, string>) {
  const child = spawn(process.execPath, ['server/main.js', DIST_DIR, '--check-config'], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const read = (stream: NodeJS.ReadableStream) =>
    Array.fromAsync(stream).then((parts) => parts.join(''));
  const [stdout, stderr, status] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { status, stdout, stderr };
}
