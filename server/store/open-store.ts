/** Chooses the store by the scheme of its URL. */
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

/** @param onReplaced is told where a damaged store was put */
export function openStore(url: URL, onReplaced: (movedTo: string) => void): Store {
  if (url.protocol === 'file:') return openSqliteStore(fileURLToPath(url), onReplaced);
  throw new Error(`No store is known for ${url.protocol}//`);
}
