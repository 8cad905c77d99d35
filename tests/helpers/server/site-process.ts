/** The real server in its own process, with a real build and a new data folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from './local-server.ts';
import { readDailyLines } from './read-lines.ts';
import { spawnServer } from './spawn-server.ts';

/** @param settings DIST_DIR: the folder of the build; the others are the server's */
export async function startSite({ DIST_DIR: dist = 'dist', ...env }: Record<string, string>) {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'site-'));
  const start = () => spawnServer({ dataDir, dist, env, port });
  let server = await start();
  return {
    port,
    dataDir,
    /** The log's lines of clicks without repetitions, the oldest first. */
    lines: () => readDailyLines(dataDir, 'clicks').filter(({ duplicate }) => !duplicate),
    /** The rows of a query on the server's database. */
    rows(sql: string, ...values: string[]): Record<string, unknown>[] {
      using db = new DatabaseSync(join(dataDir, 'site.db'), { readOnly: true, timeout: 5000 });
      return db.prepare(sql).all(...values);
    },
    async start() {
      server = await start();
    },
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      await server.stop(signal);
    },
    /** Stops the server and deletes its data. */
    async remove() {
      await server.stop('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
