/** The real server in its own process, so that tests can kill, stop and limit it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { checkLines } from './check-lines.ts';
import { freePort } from './local-server.ts';
import { makeDataDir } from './server-app.ts';
import { makeDist } from './server-dist.ts';

interface Options {
  /** The folder of an earlier process. */
  dataDir?: string;
  /** DIST_DIR: the folder of the build, which the server gets as its argument. */
  env?: Record<string, string>;
  /** Settings of the build. */
  site?: Partial<BuiltSite>;
  port?: number;
  /** The folder with the server's code; this checkout if it is missing. */
  codeDir?: string;
  /** Standard output: each line is checked, or a pipe that is not read before `readOutput`. */
  stdout?: 'check' | 'pipe';
  /** A command that wraps the server, such as one that mounts a disk for it. */
  through?: string[];
}

/** Resolves when the server answers. @throws with its standard error when it ends before */
export async function startServer({
  dataDir = makeDataDir(),
  env = {},
  site = {},
  port = 0,
  codeDir = '.',
  stdout = 'check',
  through = [],
}: Options = {}) {
  const ownPort = port || (await freePort());
  const url = `http://127.0.0.1:${ownPort}`;
  const { DIST_DIR = makeDist(site), ...settings } = env;
  const [program = '', ...args] = [...through, process.execPath, 'server/main.js', DIST_DIR];
  const child = spawn(program, args, {
    cwd: codeDir,
    env: {
      ...process.env,
      PORT: String(ownPort),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      RATE_LIMIT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const check = checkLines();
  const said = keepText();
  const errors = keepText();
  const readLines = () =>
    void child.stdout?.setEncoding('utf8').on('data', check.add).on('data', said.add);
  child.stderr?.setEncoding('utf8').on('data', errors.add);
  if (stdout === 'check') readLines();
  onTestFinished(check.expectClean);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  if (!(await isReady(child, url))) throw new Error(errors.text());
  return {
    child,
    dataDir,
    /** PostgreSQL's URL; undefined: SQLite's file in the data folder. */
    databaseUrl: env.DATABASE_URL,
    url,
    port: ownPort,
    /** @returns standard output since the server's start */
    said: said.text,
    /** @returns standard error since the server's start */
    errors: errors.text,
    /** Reads standard output from now on, and checks it. Resolves when that many lines have arrived. */
    async readOutput(lines: number) {
      readLines();
      while (check.count() < lines) await once(child.stdout ?? child, 'data');
    },
    /** @returns the exit code; null when the signal ended the process */
    async stop(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

const MOST_KEPT = 8 * 1024 * 1024;

/** Keeps the last text: at least 8 MB of it. */
function keepText() {
  let text = '';
  return {
    add(part: string) {
      text += part;
      if (text.length > 2 * MOST_KEPT) text = text.slice(-MOST_KEPT);
    },
    text: () => text,
  };
}

/** @returns false when it ends before it answers */
async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  let ended = false;
  child.once('close', () => {
    ended = true;
  });
  while (!ended) {
    if (await fetch(`${url}/livez`).catch(() => null)) return true;
    await wait(10);
  }
  return false;
}
