/**
 * `npm run dev`: Vite with hot reload on port 3000, and behind it the real server, restarted when its files change.
 * Ends both when either ends.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildDir } from './load-site.ts';

const API_PORT = '3001';

// The server serves built pages, also where Vite shows newer ones in front of it.
if (!existsSync(join(buildDir(), 'site.json'))) {
  spawnSync('npm', ['run', 'build'], { stdio: 'inherit' });
}
const processes: ChildProcess[] = [
  run('vike', ['dev'], {}),
  run('node', ['--watch', 'server/main.ts'], { PORT: API_PORT }),
];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll);

function run(command: string, args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  child.once('exit', stopAll);
  return child;
}

function stopAll(): void {
  for (const child of processes) child.kill();
}
