/**
 * Stores the facts of each period for the report's opening. Part of the transaction that stores
 * which changes alerts have mailed, so that both are always about the same day.
 */
import type { Session } from '../../database/database.ts';
import type { PeriodFacts } from './explain-period.ts';

const STORE_PERIOD = `
  INSERT INTO report_facts (length, day, facts)
  VALUES ($1, $2, $3)
  ON CONFLICT (length) DO UPDATE
  SET day = excluded.day, facts = excluded.facts`;

/** Replaces the stored facts of these periods. @param periods empty: all stored facts stay */
export async function storeFacts(
  { run }: Pick<Session, 'run'>,
  periods: readonly PeriodFacts[],
): Promise<void> {
  for (const period of periods)
    await run(STORE_PERIOD, [period.length, period.day, JSON.stringify(period)]);
}
