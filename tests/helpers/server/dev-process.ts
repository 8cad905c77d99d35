/** `npm run dev` in a copy of the tree, whose files a test edits. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { copyTree } from '../run/copy-tree.ts';
import { freePort } from './local-server.ts';

export interface DevProcess {
  npm: ChildProcess;
  /** The process ids of the servers that have listened so far. */
  servers: number[];
  port: number;
  url: string;
  /** The folder of the copy. */
  path: string;
  stop(): void;
}

/** Starts the command with PORT in .env, and resolves when the page's server listens. */
export async function startDev({ DATA_DIR, dist }: { DATA_DIR: string; dist: string }) {
  const tree = copyTree(process.cwd());
  const port = await freePort();
  writeFileSync(join(tree.path, '.env'), `PORT=${port}\n`);
  const { PORT: _, ...env } = process.env;
  const npm = spawn('npm', ['run', 'dev', '--', dist], {
    cwd: tree.path,
    env: { ...env, DATA_DIR },
    // Vite reports each request that the restarting server does not answer.
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const stop = () => {
    try {
      process.kill(-Number(npm.pid), 'SIGKILL');
    } catch {
      // They have all ended.
    }
    tree.remove();
  };
  const listening = Promise.withResolvers<void>();
  npm.once('exit', () => listening.reject(new Error('npm run dev has ended')));
  const servers: number[] = [];
  createInterface({ input: npm.stdout }).on('line', (text) => {
    // Vite colours the port where CI is set.
    if (stripVTControlCharacters(text).includes(`localhost:${port}`)) listening.resolve();
    const pid = /listening at .*, process (\d+)/.exec(text)?.[1];
    if (pid) servers.push(Number(pid));
  });
  await listening.promise.catch((error) => {
    stop();
    throw error;
  });
  const url = `http://localhost:${port}`;
  return { npm, servers, port, url, path: tree.path, stop } satisfies DevProcess;
}

/** As most editors write: a new file that takes the place of the old one. */
export function replace(file: string, change: (text: string) => string): void {
  writeFileSync(`${file}.tmp`, change(readFileSync(file, 'utf8')));
  renameSync(`${file}.tmp`, file);
}
