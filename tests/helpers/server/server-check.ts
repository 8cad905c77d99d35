/**
 * Checks what a server promises for clicks: each acknowledged click is in the table, counted once,
 * and at least once in the log.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { query } from '../cluster/postgres.ts';
import type { Load } from './server-load.ts';

/** Where a server keeps its data. The server need not run. */
export interface Kept {
  dataDir: string;
  /** PostgreSQL's URL; undefined: SQLite. */
  databaseUrl?: string | undefined;
}

/** Runs a query on the server's database. @returns the rows */
async function ask({ dataDir, databaseUrl }: Kept, sql: string) {
  if (databaseUrl) return query(`${databaseUrl}?options=-csearch_path%3Dsite`, sql);
  const db = new DatabaseSync(join(dataDir, 'site.db'), { timeout: 5000 });
  const rows = db.prepare(sql).all();
  db.close();
  return rows;
}

/** Returns the ids of all clicks in the table, sorted. */
export async function storedIds(kept: Kept): Promise<string[]> {
  return (await ask(kept, 'SELECT id FROM clicks ORDER BY id')).map(({ id }) => String(id));
}

/**
 * Expects that every acknowledged click is in the table and in a log, and that the counts are
 * right.
 *
 * @param dataDirs data folders of all servers that share the database
 * @returns the number of stored clicks
 */
export async function expectKept(
  kept: Kept,
  { acked }: Pick<Load, 'acked'>,
  dataDirs = [kept.dataDir],
): Promise<number> {
  const stored = new Set(await storedIds(kept));
  const [counts] = await ask(kept, 'SELECT CAST(SUM(n) AS INTEGER) AS n FROM click_counts');
  const logged = new Set(dataDirs.flatMap(loggedIds));
  expect({
    lost: [...acked].filter((id) => !stored.has(id)),
    counted: counts?.n ?? 0,
    notLogged: [...acked].filter((id) => !logged.has(id)),
  }).toEqual({ lost: [], counted: stored.size, notLogged: [] });
  return stored.size;
}

/** Returns the ids in a server's click log. Lines that a kill has cut are left out. */
function loggedIds(dataDir: string): string[] {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('clicks-2'));
  const text = files.map((name) => readFileSync(join(dataDir, name), 'utf8')).join('');
  return [...text.matchAll(/^\{.*?"id":"([^"]+)".*\}$/gm)].map(([, id]) => String(id));
}
