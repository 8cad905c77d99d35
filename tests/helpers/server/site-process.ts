/** The real server in its own process, with a real build and a new data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { checkLines } from './check-lines.ts';
import { freePort } from './local-server.ts';
import { readDailyLines } from './read-lines.ts';

export type LogLine = Record<string, unknown> & { id: string; event: string };

export interface SiteProcess {
  port: number;
  dataDir: string;
  /** The log's lines of clicks without repetitions, the oldest first. */
  lines(): LogLine[];
  /** The rows of a query on the server's database. */
  rows(sql: string, ...values: string[]): Record<string, unknown>[];
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

/**
 * @param env DIST_DIR: the folder of the build
 * @param nodeFlags Node's own, such as those of `npm run serve`
 */
export async function startSite(
  { DIST_DIR = 'dist', ...env }: Record<string, string>,
  nodeFlags: readonly string[] = [],
): Promise<SiteProcess> {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'site-'));
  let server: ChildProcess | undefined;
  const check = checkLines();

  const site: SiteProcess = {
    port,
    dataDir,
    lines: () =>
      readDailyLines(dataDir, 'clicks').filter(({ duplicate }) => !duplicate) as LogLine[],
    rows(sql, ...values) {
      using db = new DatabaseSync(join(dataDir, 'site.db'), { readOnly: true, timeout: 5000 });
      return db.prepare(sql).all(...values);
    },
    async start() {
      server = spawn(process.execPath, [...nodeFlags, 'server/main.js', DIST_DIR], {
        env: {
          ...process.env,
          PORT: String(port),
          HOST: '127.0.0.1',
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
    const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null);
    if (answer?.ok) return;
    await delay(20);
  }
}
