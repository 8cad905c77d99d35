/** The real server in its own process, with a real build and a new data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkLines } from './check-lines.ts';
import { freePort } from './local-server.ts';

export type LogLine = Record<string, unknown> & { id: string; event: string };

export interface SiteProcess {
  port: number;
  dataDir: string;
  /** The clicks on the disk, oldest first. */
  lines(): Promise<LogLine[]>;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

/** @param nodeFlags Node's own, such as those of `npm run serve` */
export async function startSite(
  env: Record<string, string>,
  nodeFlags: readonly string[] = [],
): Promise<SiteProcess> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'site-'));
  let server: ChildProcess | undefined;
  const check = checkLines();

  const site: SiteProcess = {
    port,
    dataDir,
    async lines() {
      const text = await readFile(join(dataDir, 'clicks.jsonl'), 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
    async start() {
      server = spawn(process.execPath, [...nodeFlags, 'server/main.js'], {
        env: {
          ...process.env,
          PORT: String(port),
          HOST: '127.0.0.1',
          METRICS_PORT: 'off',
          // Tests count clicks at once.
          STATS_PERIOD_MIN: '0',
          DATA_DIR: dataDir,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      server.stdout?.setEncoding('utf8').on('data', check.add);
      await untilListening(port, server);
    },
    async stop(signal = 'SIGTERM') {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill(signal);
      await exited;
    },
    async remove() {
      await site.stop();
      await rm(dataDir, { recursive: true, force: true });
      check.expectClean();
    },
  };
  try {
    await site.start();
    return site;
  } catch (cause) {
    await site.remove();
    throw cause;
  }
}

async function untilListening(port: number, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The server stopped with ${server.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer && !(await answer.text()).includes('catching_up')) return;
    await delay(20);
  }
}
