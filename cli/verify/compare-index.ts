/** Compares what was read of the ledgers with a click index, while a server may go on writing both. */
import { setTimeout as delay } from 'node:timers/promises';
import type { IndexReader } from '../../server/clicks/index/read-index.ts';
import type { Differences } from './differences.ts';
import { type Logged, type LoggedClick, readRest } from './read-clicks.ts';

/** Upper bound for suspects in memory. More of them are differences at once. */
const MOST_SUSPECTS = 100_000;
const ATTEMPTS = 5;
const PAUSE_MS = 500;

/** Finds clicks that the index lacks. The server indexes a click milliseconds after it is in the ledger. */
export function createMissing(index: IndexReader, forgotten: string | null, found: Differences) {
  const suspects = new Map<string, string>();
  const report = (id: string, place: string) =>
    found.add('unindexed', `The index lacks ${id}, ${place}`);
  return {
    async check(clicks: readonly LoggedClick[]): Promise<void> {
      const kept = clicks.filter(({ id }) => forgotten === null || id >= forgotten);
      const places = new Map(kept.map(({ id, place }) => [id, place]));
      for (const id of await index.missing([...places.keys()])) {
        if (suspects.size < MOST_SUSPECTS) suspects.set(id, places.get(id) ?? '');
        else report(id, places.get(id) ?? '');
      }
    },
    /** Asks again for the clicks that were missing. */
    async finish(): Promise<void> {
      let left = [...suspects.keys()];
      for (let attempt = 0; left.length > 0 && attempt < ATTEMPTS; attempt += 1) {
        if (attempt > 0) await delay(PAUSE_MS);
        left = await index.missing(left);
      }
      for (const id of left) report(id, suspects.get(id) ?? '');
    },
  };
}

/**
 * Finds clicks that only the index has. The server writes a click to the ledger before the index, so the ledgers are read
 * on after the index.
 *
 * `deleted` is the number of clicks that CLICK_RETENTION_DAYS has deleted from the ledgers.
 */
export async function findUnlogged(
  index: IndexReader,
  { paths, logged, deleted }: { paths: readonly string[]; logged: Logged; deleted: number },
  found: Differences,
): Promise<void> {
  const suspects: string[] = [];
  let more = 0;
  for await (const ids of index.ids()) {
    for (const id of ids) {
      if (logged.seen.has(id)) continue;
      if (suspects.length < MOST_SUSPECTS) suspects.push(id);
      else more += 1;
    }
  }
  await readRest(paths, logged, found);
  const left = suspects.filter((id) => !logged.seen.has(id));
  if (left.length + more <= deleted) return;
  for (const id of left) found.add('unlogged', `Only the index has ${id}`);
  for (let i = 0; i < more; i += 1) found.add('unlogged', '');
}

/** Finds counts that are below those of the clicks read before, or above those read after. */
export async function compareCounts(
  index: IndexReader,
  { paths, logged }: { paths: readonly string[]; logged: Logged },
  found: Differences,
): Promise<void> {
  let wrong: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await delay(PAUSE_MS);
    const least = new Map(logged.counts);
    const counts = await index.counts();
    await readRest(paths, logged, found);
    wrong = [...new Set([...counts.keys(), ...logged.counts.keys()])].flatMap((key) => {
      const count = counts.get(key) ?? 0;
      const most = logged.counts.get(key) ?? 0;
      if (count >= (least.get(key) ?? 0) && count <= most) return [];
      return [`${key}: ${count} in the index, ${most} in the ledgers`];
    });
    if (wrong.length === 0) return;
  }
  for (const text of wrong.sort()) found.add('counts', text);
}
