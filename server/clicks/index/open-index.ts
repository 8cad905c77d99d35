/** Opens the click index that the scheme of its URL names. Loads the PostgreSQL client only where it is needed. */
import { fileURLToPath } from 'node:url';
import type { Store } from './click-index.ts';
import { openSqliteStore } from './sqlite-index.ts';

export interface StoreOptions {
  /** Names the ledger that this store is an index of, where it is an index of several. */
  ledgerId: () => string;
  /** Whole months of ids that a shared store keeps beside the present one; 0: all. */
  keepMonths: number;
  /** Milliseconds since 1970; null while the clock cannot be trusted: then no month is dropped. */
  trustedNow: () => Promise<number | null>;
  log: { info(message: string): void; warn(details: object, message: string): void };
}

export async function openStore(
  url: URL,
  { ledgerId, keepMonths, trustedNow, log }: StoreOptions,
): Promise<Store> {
  if (url.protocol === 'file:') {
    const path = fileURLToPath(url);
    return openSqliteStore(path, (movedTo) =>
      log.warn({ movedTo }, `${path} was damaged: it is made anew from the ledger`),
    );
  }
  if (/^postgres(ql)?:$/.test(url.protocol)) {
    const { openPostgresStore } = await import('./postgres/postgres-index.ts');
    return openPostgresStore({ url, ledger: ledgerId(), keepMonths, trustedNow, log });
  }
  throw new Error(`No store is known for ${url.protocol}//`);
}
