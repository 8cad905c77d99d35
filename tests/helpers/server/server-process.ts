/** The real server in its own process, so that tests can kill, stop and limit it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { ledgerFiles, readLedger } from '../../../server/clicks/ledger/read-ledger.ts';
import { checkLines } from './check-lines.ts';
import { freePort } from './local-server.ts';
import { makeDataDir } from './server-app.ts';
import { makeDist } from './server-dist.ts';

interface Options {
  /** The folder of an earlier process. */
  dataDir?: string;
  env?: Record<string, string>;
  port?: number;
  /** The folder with the server's code; this checkout if it is missing. */
  codeDir?: string;
  /** Standard output: each line is checked, or a pipe that is not read before `readOutput`. */
  stdout?: 'check' | 'pipe';
  /** A command that wraps the server, such as `slowDisk`. */
  through?: string[];
  /** False: resolves with the first answer, while the index may still be catching up with the ledger. */
  caughtUp?: boolean;
}

/** Resolves when the server answers. @throws with its standard error when it ends before */
export async function startServer({
  dataDir = makeDataDir(),
  env = {},
  port = 0,
  codeDir = '.',
  stdout = 'check',
  through = [],
  caughtUp = true,
}: Options = {}) {
  const ownPort = port || (await freePort());
  const url = `http://127.0.0.1:${ownPort}`;
  const [program = '', ...args] = [...through, process.execPath, 'server/main.js'];
  const child = spawn(program, args, {
    cwd: codeDir,
    env: {
      ...process.env,
      PORT: String(ownPort),
      HOST: '127.0.0.1',
      METRICS_PORT: 'off',
      DATA_DIR: dataDir,
      DIST_DIR: makeDist(),
      RATE_LIMIT_CLICKS: '0',
      RATE_LIMIT_OTHER: '0',
      MIN_FREE_MB: '0',
      // Tests count clicks at once.
      STATS_PERIOD_MIN: '0',
      // A busy machine must not look like an overload.
      MAX_EVENT_LOOP_DELAY_MS: '0',
      MAX_CLICK_WAIT_MS: '0',
      // Only tests of the forwarder have a PostHog.
      POSTHOG_FORWARD_AFTER_S: '86400',
      ...env,
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
  if (!(await isReady(child, url, caughtUp))) throw new Error(errors.text());
  return {
    child,
    dataDir,
    ledger: join(dataDir, 'clicks.jsonl'),
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

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/** @returns false when it ends before it answers */
async function isReady(child: ChildProcess, url: string, caughtUp: boolean): Promise<boolean> {
  let ended = false;
  child.once('close', () => {
    ended = true;
  });
  while (!ended) {
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    const isBehind = (await answer?.text())?.includes('catching_up');
    if (answer && !(caughtUp && isBehind)) return true;
    await wait(10);
  }
  return false;
}

/** @returns every id in the ledger and its rotated files @throws when a line is not JSON */
export async function storedIds(ledger: string): Promise<string[]> {
  const ids: string[] = [];
  for (const file of ledgerFiles(ledger)) {
    const bytes = readFileSync(file);
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    if (text !== '' && !text.endsWith('\n'))
      throw new Error(`${file} ends with an incomplete line`);
    for await (const { lines } of readLedger(file)) {
      for (const line of lines) ids.push(JSON.parse(line).id);
    }
  }
  return ids;
}
