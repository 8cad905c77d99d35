/** Opens the database of receipts: PostgreSQL with DATABASE_URL, otherwise the SQLite file. */
import type { Config } from '../../config.ts';
import type { ReceiptStore } from './receipt-store.ts';
import { openSqliteReceipts } from './sqlite-receipts.ts';

/** The settings for the place of the receipts. */
export interface ReceiptPlace extends Pick<Config, 'databaseUrl'> {
  files: Pick<Config['files'], 'receipts'>;
}

/**
 * Loads the PostgreSQL client only if it is needed.
 *
 * @param warn gets a sentence about a damaged file
 * @param threaded true: SQLite runs in a thread of its own, because a server's clicks must not wait for it
 */
export async function openReceipts(
  { databaseUrl, files }: ReceiptPlace,
  warn: (message: string) => void = () => {},
  { threaded = false } = {},
): Promise<ReceiptStore> {
  if (databaseUrl) {
    const { openPostgresReceipts } = await import('./postgres-receipts.ts');
    return openPostgresReceipts(databaseUrl);
  }
  const onReplaced = (movedTo: string) =>
    warn(
      `${files.receipts} was damaged and is now ${movedTo}. The server sends recent clicks to PostHog again, which merges them.`,
    );
  if (!threaded) return openSqliteReceipts(files.receipts, { onReplaced });
  const { openThreadedReceipts } = await import('./threaded-receipts.ts');
  return openThreadedReceipts(files.receipts, onReplaced);
}
