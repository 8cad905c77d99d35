/** Starts the real server in a process of its own, for browser tests and benches. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from './local-server.ts';
import { readDailyLines } from './read-lines.ts';
import { spawnServer } from './spawn-server.ts';

/**
 * Starts a server with a new data folder. Resolves when it answers.
 *
 * @param settings environment variables of the server. DIST_DIR is the folder of the build
 */
export async function startSite({ DIST_DIR: dist = 'dist', ...env }: Record<string, string>) {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'site-'));
  const start = () => spawnServer({ dataDir, dist, env, port });
  let server = await start();
  return {
    port,
    dataDir,
    /** Returns the click log's lines, the oldest first, without those of repeated clicks. */
    lines: () => readDailyLines(dataDir, 'clicks').filter(({ duplicate }) => !duplicate),
    /** Returns the rows of a query on the server's database. */
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
