/** Empties the click index, so that ledgers can fill it again. */
import { connectPatiently, describe } from '../../../database/connect-postgres.ts';
import { migratePostgres } from '../../../database/migrate-postgres.ts';
import { makePartitions } from './partitions.ts';

/** @param since the oldest month that will be filled @throws an Error that says what to do */
export async function emptyIndex(url: URL, since: Date): Promise<void> {
  const client = await connectPatiently(url);
  try {
    await migratePostgres(client);
    await client.query('TRUNCATE clicks, clicks_per_day, ledger_positions, clicks_forgotten');
    await makePartitions(client, new Date(), since);
  } catch (cause) {
    throw describe(cause, url);
  } finally {
    await client.end();
  }
}
