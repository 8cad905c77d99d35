/** Starts the real server in a process of its own. It does not need Vitest. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { checkLines } from './check-lines.ts';
import { freePort } from './local-server.ts';

export interface ServerOptions {
  dataDir: string;
  /** The folder of the build. */
  dist: string;
  env: Record<string, string>;
  port?: number;
  /** The folder with the server's code. By default, this checkout. */
  codeDir?: string;
  /** Prefix of the server's command, such as `prlimit …`. */
  through?: readonly string[];
}

/**
 * Starts a server. Resolves when it answers.
 *
 * @throws if it ends before: the message is its standard error, the cause its exit code
 */
export async function spawnServer(options: ServerOptions) {
  const { dataDir, dist, env, codeDir = '.', through = [] } = options;
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const [program = '', ...args] = [...through, process.execPath, 'server/main.js', dist];
  const own = { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir };
  const child = spawn(program, args, {
    cwd: codeDir,
    env: { ...process.env, ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const check = checkLines();
  let [said, errors] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    check.add(text);
    said += text;
  });
  const ended = once(child, 'close').then(() => true);
  const isUp = () =>
    fetch(`${url}/livez`).then(
      () => true,
      () => wait(10, false),
    );
  while (!(await isUp())) {
    if (!(await Promise.race([ended, wait(0, false)]))) continue;
    throw new Error(errors, { cause: child.exitCode });
  }
  return {
    child,
    dataDir,
    url,
    port,
    /** PostgreSQL's URL; undefined: SQLite's file in the data folder. */
    databaseUrl: env.DATABASE_URL,
    /** Returns standard output since the server's start. */
    said: () => said,
    /**
     * Sends a signal to the server, and waits until it has ended.
     *
     * @returns the exit code; null if the signal killed the process
     * @throws if a line that the server has printed has the wrong form, or data of a visitor
     */
    async stop(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      await ended;
      check.expectClean();
      return child.exitCode;
    },
  };
}
