/** Checks that every acknowledged click is in the ledger, and none twice. */
import { expect } from 'vitest';
import type { Load } from './server-load.ts';
import { storedIds } from './server-process.ts';

/** @returns the number of stored clicks */
export async function expectKept(ledger: string, load: Load): Promise<number> {
  const ids = await storedIds(ledger);
  const stored = new Set(ids);
  const lost = [...load.acked].filter((id) => !stored.has(id));
  expect({ lost, twice: ids.length - stored.size }).toEqual({ lost: [], twice: 0 });
  return stored.size;
}

export async function readTotal(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/stats`);
  return ((await answer.json()) as { clicks: { total: number } }).clicks.total;
}
