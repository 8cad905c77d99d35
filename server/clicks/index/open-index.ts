/** Opens the click index for the scheme of its URL. Loads the PostgreSQL client only if it is needed. */
import { fileURLToPath } from 'node:url';
import type { ClickIndex } from './click-index.ts';
import { openSqliteIndex } from './sqlite-index.ts';

export interface IndexOptions {
  /** Returns the id of this server's ledger, for an index of several ledgers. */
  ledgerId: () => string;
  /** Number of whole months of ids that a shared index keeps in addition to the present one; 0: all. */
  keepMonths: number;
  /** Milliseconds since 1970. Null while the clock cannot be trusted; then no month is dropped. */
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
      log.warn({ movedTo }, `${path} was damaged; the server rebuilds it from the ledger`),
    );
  }
  if (/^postgres(ql)?:$/.test(url.protocol)) {
    const { openPostgresIndex } = await import('./postgres/postgres-index.ts');
    return openPostgresIndex({ url, ledger: ledgerId(), keepMonths, trustedNow, log });
  }
  throw new Error(`No click index supports ${url.protocol}//. Use file: or postgres:`);
}
