/**
 * The outbox: clicks in localStorage that the server has not confirmed yet.
 *
 * Each click has a key of its own, so that two tabs cannot overwrite each other's clicks. The
 * outbox holds at most 50 clicks and 64 KB for at most 7 days. It drops the oldest clicks first,
 * and the next delivery reports how many. Clicks that the browser refuses to store are kept in
 * memory.
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
/** Key of the number of clicks that were dropped and not yet reported. */
const DROPPED_KEY = 'clicks-dropped';

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Opens the outbox of a browser.
 *
 * @param storage localStorage; null: clicks are kept in memory only
 * @param now milliseconds since 1970
 */
export function createOutbox(storage: Storage | null, now: () => number) {
  const { write, read, erase, keys } = guardStorage(storage);
  /** JSON of the clicks that the browser refused to store, by their ids. */
  const memory = new Map<string, string>();
  let droppedInMemory = 0;

  const remove = (id: string): void => {
    memory.delete(id);
    erase(OUTBOX_PREFIX + id);
  };
  const droppedCount = (): number => Math.max(droppedInMemory, readCount(read(DROPPED_KEY)));
  const drop = (id: string) => {
    remove(id);
    const count = Math.min(MAX_DROPPED, droppedCount() + 1);
    if (!write(DROPPED_KEY, String(count))) droppedInMemory = count;
  };
  /** Returns id and JSON of each click, oldest first: a UUID v7 begins with its time. */
  const entries = (): { id: string; text: string }[] => {
    const texts = new Map(memory);
    for (const key of keys()) {
      const text = key.startsWith(OUTBOX_PREFIX) ? read(key) : null;
      if (text !== null) texts.set(key.slice(OUTBOX_PREFIX.length), text);
    }
    return [...texts].map(([id, text]) => ({ id, text })).sort((a, b) => (a.id < b.id ? -1 : 1));
  };

  return {
    /** Stores a click, or replaces the one with the same id. */
    put(click: Click): void {
      const text = JSON.stringify(click);
      if (write(OUTBOX_PREFIX + click.id, text)) memory.delete(click.id);
      else memory.set(click.id, text);
    },
    has: (id: string): boolean => memory.has(id) || read(OUTBOX_PREFIX + id) !== null,
    remove,
    /** Returns the clicks, oldest first. Drops those over the bounds, removes invalid entries. */
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
    /** Returns the number of clicks that were dropped and not reported to the server yet. */
    droppedCount,
    /** Lowers that number, because the server has confirmed a click that reported so many. */
    subtractDropped(count: number): void {
      const left = Math.max(0, droppedCount() - count);
      droppedInMemory = Math.max(0, droppedInMemory - count);
      if (left === 0) erase(DROPPED_KEY);
      else write(DROPPED_KEY, String(left));
    },
    /** Removes all clicks and the number of dropped ones. */
    clear(): void {
      for (const { id } of entries()) remove(id);
      droppedInMemory = 0;
      erase(DROPPED_KEY);
    },
  };
}

/**
 * Wraps a storage that may be missing, full, or refused by the browser. No function throws. An
 * entry that cannot be erased is harmless: its click is sent again, and the server counts its id
 * once.
 */
function guardStorage(storage: Storage | null) {
  const attempt = <T>(use: (storage: Storage) => T) => tryStorage(use, () => storage as Storage);
  return {
    /** Returns whether the entry is stored. */
    write: (key: string, text: string): boolean =>
      attempt((opened) => opened.setItem(key, text) === undefined) ?? false,
    read: (key: string): string | null => attempt((opened) => opened.getItem(key)) ?? null,
    erase: (key: string) => attempt((opened) => opened.removeItem(key)),
    keys: (): string[] =>
      attempt((opened) => Array.from({ length: opened.length }, (_, i) => opened.key(i) ?? '')) ??
      [],
  };
}

/**
 * Reads the number of dropped clicks from its entry in the storage.
 *
 * @returns 0 if the entry is missing, or is no number that the server accepts
 */
function readCount(text: string | null): number {
  const count = Number(text);
  return Number.isInteger(count) && count >= 0 && count <= MAX_DROPPED ? count : 0;
}
