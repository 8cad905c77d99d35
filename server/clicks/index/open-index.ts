/** Opens the click index that the scheme of its URL names. Loads the PostgreSQL client only where it is needed. */
import { fileURLToPath } from 'node:url';
import type { ClickIndex } from './click-index.ts';
import { openSqliteIndex } from './sqlite-index.ts';

export interface IndexOptions {
  /** Names the ledger that this index is an index of, where it is an index of several. */
  ledgerId: () => string;
  /** Whole months of ids that a shared index keeps beside the present one; 0: all. */
  keepMonths: number;
  /** Milliseconds since 1970; null while the clock cannot be trusted: then no month is dropped. */
  trustedNow: () => Promise<number | null>;
  log: { info(message: string): void; warn(details: object, message: string): void };
}

export async function openClickIndex(
  url: URL,
  { ledgerId, keepMonths, trustedNow, log }: IndexOptions,
): Promise<ClickIndex> {
  if (url.protocol === 'file:') {
    const path = fileURLToPath(url);
    return openSqliteIndex(path, (movedTo) =>
      log.warn({ movedTo }, `${path} was damaged: it is made anew from the ledger`),
    );
  }
  if (/^postgres(ql)?:$/.test(url.protocol)) {
    const { openPostgresIndex } = await import('./postgres/postgres-index.ts');
    return openPostgresIndex({ url, ledger: ledgerId(), keepMonths, trustedNow, log });
  }
  throw new Error(`No index is known for ${url.protocol}//`);
}
