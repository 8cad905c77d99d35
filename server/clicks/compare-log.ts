/**
 * Compares the click log with SQLite's table when the server starts. If somebody has deleted,
 * replaced or restored the table, it lacks clicks that the log still has. `site import` brings them
 * back.
 *
 * A worker thread reads the lines (compare-log-thread.ts). A large site writes a million lines a
 * month, and the first clicks must not wait for them.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { ComparedClicks, ThreadData } from './compare-log-thread.ts';

interface Options extends Pick<ThreadData, 'folder' | 'database' | 'keptSince'> {
  db: Pick<Database, 'read'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

export type LogComparison = ReturnType<typeof compareLog>;

export function compareLog({ folder, database, keptSince, db, log }: Options) {
  let missing: ComparedClicks['missing'] | null = null;
  let thread: ReturnType<typeof startThread> | null = null;
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    const names = globSync('clicks-????-??-??.jsonl', { cwd: folder }).sort();
    if (names.length === 0) return;
    const files = names.map((name) => join(folder, name));
    try {
      thread = startThread({ folder, database, keptSince, files });
      const compared = await thread.compared;
      missing = compared.missing;
      log.info(describeCounts(compared));
      const text = describeMissing(missing, folder);
      if (text) log.warn(text);
    } catch (cause) {
      log.warn(`The log of clicks could not be compared: ${(cause as Error).message}`);
    }
  };
  return {
    /**
     * Starts the comparison. Call it when the server listens. Resolves when the server's log has
     * the result.
     */
    async begin(): Promise<void> {
      running ??= run();
      await running;
    },
    /**
     * Returns a sentence for operators while the table still lacks clicks that the log has,
     * otherwise null.
     */
    async warning(): Promise<string | null> {
      const text = missing && describeMissing(missing, folder);
      if (!missing || !text) return null;
      const places = missing.examples.map((_, i) => `$${i + 1}`).join(', ');
      const sql = `SELECT COUNT(*) AS n FROM clicks WHERE id IN (${places})`;
      const [{ n: found = 0 } = {}] = await db.read(sql, missing.examples);
      return Number(found) < missing.examples.length ? text : null;
    },
    close: async () => void (await thread?.worker.terminate()),
  };
}

function startThread(workerData: ThreadData) {
  const worker = new Worker(new URL('./compare-log-thread.ts', import.meta.url), { workerData });
  const { promise, resolve, reject } = Promise.withResolvers<ComparedClicks>();
  worker.once('message', resolve);
  worker.once('error', reject);
  // No handler for `exit`: only a stopping server ends the thread early, and then there is nothing
  // to report.
  return { worker, compared: promise };
}

function describeCounts({ since, table, log }: ComparedClicks): string {
  const [inTable, inLog] = [table, log].map(
    ({ clicks, newest }) => `${clicks}, the newest ${newest ?? 'none'}`,
  );
  return `Clicks since ${since}: in the table ${inTable}; in the log ${inLog}`;
}

function describeMissing(
  { clicks, files }: ComparedClicks['missing'],
  folder: string,
): string | null {
  if (clicks === 0) return null;
  const command = `DATA_DIR=${folder} npm run -s site -- import ${files.join(' ')}`;
  return `The log has ${clicks} clicks that the table lacks. Bring them back, also while the server runs: ${command}`;
}
