/**
 * `npm run dev`: Vite with hot reload on port 3000, and behind it the real server, which restarts when its files change.
 * When one of the two ends, this program ends the other.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildDir } from './load-site.ts';

const API_PORT = '3001';

// The server needs a build to start, although Vite serves newer pages in front of it.
if (!existsSync(join(buildDir(), 'site.json'))) {
  spawnSync('npm', ['run', 'build'], { stdio: 'inherit' });
}
const processes: ChildProcess[] = [
  run('vike', ['dev'], {}),
  run('node', ['--watch', 'server/main.js'], { PORT: API_PORT }),
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
