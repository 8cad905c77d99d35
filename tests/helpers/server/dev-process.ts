/** `npm run dev` in a copy of the tree, whose files a test edits. */
import { spawn } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from '../run/copy-tree.ts';
import { freePort } from './local-server.ts';

export type DevProcess = Awaited<ReturnType<typeof startDev>>;

/** Starts the command with PORT in .env. */
export async function startDev({ DATA_DIR, dist }: { DATA_DIR: string; dist: string }) {
  const tree = copyTree();
  const port = await freePort();
  writeFileSync(join(tree.path, '.env'), `PORT=${port}\n`);
  const { PORT: _, ...env } = process.env;
  const npm = spawn('npm', ['run', 'dev', '--', dist], {
    ...{ cwd: tree.path, env: { ...env, DATA_DIR }, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  // The pipes close when the last process of them has ended.
  const ended = new Promise<void>((resolve) => npm.once('close', () => resolve()));
  return {
    url: `http://localhost:${port}`,
    /** All that the terminal shows. */
    said: () => text,
    /** Changes a file as most editors write: a new file takes the place of the old one. */
    edit(file: string, change: (text: string) => string) {
      const path = join(tree.path, file);
      writeFileSync(`${path}.tmp`, change(readFileSync(path, 'utf8')));
      renameSync(`${path}.tmp`, path);
    },
    /** Resolves when everything has ended. */
    async stop() {
      // As Ctrl-C in a terminal does.
      process.kill(-Number(npm.pid), 'SIGINT');
      await ended;
      tree.remove();
    },
  };
}
