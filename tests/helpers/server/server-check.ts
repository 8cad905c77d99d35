/**
 * Checks the promise of the clicks: each acknowledged one is in the table, counted once, and in the
 * log at least once.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { query } from '../cluster/postgres.ts';
import type { Load } from './server-load.ts';

/** All that a server keeps, whether it runs or not. */
export interface Kept {
  dataDir: string;
  /** PostgreSQL's URL; undefined: SQLite. */
  databaseUrl?: string | undefined;
}

/** @returns the rows of a query */
async function ask({ dataDir, databaseUrl }: Kept, sql: string) {
  if (databaseUrl) return query(`${databaseUrl}?options=-csearch_path%3Dsite`, sql);
  const db = new DatabaseSync(join(dataDir, 'site.db'), { timeout: 5000 });
  const rows = db.prepare(sql).all();
  db.close();
  return rows;
}

/** @returns the ids of all rows, in their order */
export async function storedIds(kept: Kept): Promise<string[]> {
  return (await ask(kept, 'SELECT id FROM clicks ORDER BY id')).map(({ id }) => String(id));
}

/** @param dataDirs of the servers that share the database @returns the number of stored clicks */
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

/** A kill may cut a line, but not one of an acknowledged click. */
function loggedIds(dataDir: string): string[] {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('clicks-2'));
  const text = files.map((name) => readFileSync(join(dataDir, name), 'utf8')).join('');
  return [...text.matchAll(/^\{.*?"id":"([^"]+)".*\}$/gm)].map(([, id]) => String(id));
}
