/** The real server as a process of its own, to be killed, stopped and starved. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { ledgerFiles, readLedger } from '../../../server/clicks/ledger/read-ledger.ts';
import { freePort } from './local-server.ts';
import { makeDataDir } from './server-app.ts';
import { makeDist } from './server-dist.ts';

/** Long runs take minutes, and are for before a release. */
export const LONG = process.env.FAULTS === 'long';

interface Options {
  dataDir?: string;
  env?: Record<string, string>;
  /** Taken over from an earlier process. */
  port?: number;
  /** What becomes of standard output: thrown away, or a pipe that nobody reads. */
  stdout?: 'ignore' | 'pipe';
  /** A command that starts the server in its own way, such as `slowDisk`. */
  through?: string[];
  /** False: returns with the first answer, while the store may still be catching up with the ledger. */
  caughtUp?: boolean;
}

/** @returns once it answers @throws with what it wrote to standard error, when it ends before that */
export async function startServer({
  dataDir = makeDataDir(),
  env = {},
  port = 0,
  stdout = 'ignore',
  through = [],
  caughtUp = true,
}: Options = {}) {
  const ownPort = port || (await freePort());
  const url = `http://127.0.0.1:${ownPort}`;
  const [program = '', ...args] = [...through, process.execPath, 'server/main.ts'];
  const child = spawn(program, args, {
    env: {
      ...process.env,
      PORT: String(ownPort),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DIST_DIR: makeDist(),
      RATE_LIMIT_CLICKS: '0',
      RATE_LIMIT_OTHER: '0',
      MIN_FREE_MB: '0',
      ...env,
    },
    stdio: ['ignore', stdout, 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  await untilReady(child, url, caughtUp);
  return {
    child,
    dataDir,
    ledger: join(dataDir, 'clicks.jsonl'),
    url,
    port: ownPort,
    /** @returns the exit code, null when the signal itself ended it */
    async stop(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/** @throws what the server wrote to standard error, when it ends before it answers */
async function untilReady(child: ChildProcess, url: string, caughtUp: boolean): Promise<void> {
  let errors = '';
  child.stderr?.on('data', (text) => {
    errors += text;
  });
  let ended = false;
  child.once('close', () => {
    ended = true;
  });
  while (!ended) {
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    const isBehind = (await answer?.text())?.includes('catching_up');
    if (answer && !(caughtUp && isBehind)) return;
    await wait(10);
  }
  throw new Error(errors);
}

/** Every id in the ledger and its rotated files. @throws when a line is not JSON */
export async function storedIds(ledger: string): Promise<string[]> {
  const ids: string[] = [];
  for (const file of ledgerFiles(ledger)) {
    const bytes = readFileSync(file);
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    if (text !== '' && !text.endsWith('\n')) throw new Error(`${file} ends in half a line`);
    for await (const { lines } of readLedger(file)) {
      for (const line of lines) ids.push(JSON.parse(line).id);
    }
  }
  return ids;
}
