/** The time of the newest click or registration, to compare the clock with if no trusted time is stored. */
import { existsSync } from 'node:fs';
import { newestLedgerTime } from './clicks/ledger/ledger-times.ts';
import type { Config } from './config.ts';
import { openRegistrationStore } from './registrations/store/open-registration-store.ts';

/**
 * @returns milliseconds since 1970; null: there is no record
 * @throws (rejects with) the database's error
 */
export async function newestRecord(config: Config): Promise<number | null> {
  const times = [await newestLedgerTime(config.files.ledger), await newestRegistration(config)];
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

async function newestRegistration(config: Config): Promise<number | null> {
  if (!config.databaseUrl && !existsSync(config.files.registrations)) return null;
  const store = await openRegistrationStore(config);
  try {
    return (await store.newestTime())?.getTime() ?? null;
  } finally {
    await store.close();
  }
}
