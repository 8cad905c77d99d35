/**
 * Clicks that the server has not confirmed yet.
 *
 * One key per click, so that two tabs can never overwrite each other's. The bounds are 50 clicks
 * and 64 KB: the oldest are dropped first, and the next delivery reports their number. Clicks that
 * the browser refuses to store are kept in memory.
 */

import { MAX_DROPPED } from '#contract/limits.ts';
import { tryStorage } from '../try-storage.ts';
import type { Click } from './make-click.ts';
import { readClick } from './read-click.ts';
import { OUTBOX_PREFIX } from './stub-data.ts';
import { timeOfId } from './uuid-v7.ts';

const MAX_CLICKS = 50;
const MAX_CHARACTERS = 64 * 1024;
const EXPIRES_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
const DROPPED_KEY = 'clicks-dropped';

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * @param storage null: memory only
 * @param now milliseconds since 1970
 */
export function createOutbox(storage: Storage | null, now: () => number) {
  const memory = new Map<string, string>();
  let droppedInMemory = 0;

  /**
   * Undefined where the storage is full or refused. An entry that stays is sent again, and the
   * server takes its id once.
   */
  const attempt = <T>(use: (storage: Storage) => T) => tryStorage(use, () => storage as Storage);
  const write = (key: string, text: string): boolean =>
    attempt((storage) => storage.setItem(key, text) === undefined) ?? false;
  const read = (key: string): string | null => attempt((storage) => storage.getItem(key)) ?? null;
  const erase = (key: string) => attempt((storage) => storage.removeItem(key));
  const drop = (id: string) => {
    remove(id);
    const count = Math.min(MAX_DROPPED, dropped() + 1);
    if (!write(DROPPED_KEY, String(count))) droppedInMemory = count;
  };

  function remove(id: string): void {
    memory.delete(id);
    erase(OUTBOX_PREFIX + id);
  }
  function dropped(): number {
    return Math.max(droppedInMemory, readCount(read(DROPPED_KEY)));
  }
  function entries() {
    const found = new Map(memory);
    for (const key of attempt(keysOf) ?? []) {
      const text = key.startsWith(OUTBOX_PREFIX) ? read(key) : null;
      if (text !== null) found.set(key.slice(OUTBOX_PREFIX.length), text);
    }
    return [...found].map(([id, text]) => ({ id, text })).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  return {
    put(click: Click): void {
      const text = JSON.stringify(click);
      if (write(OUTBOX_PREFIX + click.id, text)) memory.delete(click.id);
      else memory.set(click.id, text);
    },
    has: (id: string): boolean => memory.has(id) || read(OUTBOX_PREFIX + id) !== null,
    remove,
    /** Returns the undelivered clicks, oldest first. Drops those over the bounds. */
    list(): Click[] {
      const kept: Click[] = [];
      let characters = 0;
      for (const { id, text } of entries().reverse()) {
        const click = readClick(id, text);
        characters += text.length;
        if (!click) remove(id);
        else if (
          kept.length >= MAX_CLICKS ||
          characters > MAX_CHARACTERS ||
          now() - timeOfId(id) > EXPIRES_AFTER_MS
        )
          drop(id);
        else kept.push(click);
      }
      return kept.reverse();
    },
    /** Number of clicks that were dropped and not reported yet. */
    dropped,
    /** Subtracts the clicks that a delivery has reported. */
    reported(count: number): void {
      const left = Math.max(0, dropped() - count);
      droppedInMemory = Math.max(0, droppedInMemory - count);
      if (left === 0) erase(DROPPED_KEY);
      else write(DROPPED_KEY, String(left));
    },
    /** Deletes everything, the count of dropped clicks included. */
    clear(): void {
      for (const { id } of entries()) remove(id);
      droppedInMemory = 0;
      erase(DROPPED_KEY);
    },
  };
}

const keysOf = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '');

/**
 * A count of dropped clicks that the server accepts; 0 for anything else that the storage may hold.
 */
function readCount(text: string | null): number {
  const count = Number(text);
  return Number.isInteger(count) && count >= 0 && count <= MAX_DROPPED ? count : 0;
}
