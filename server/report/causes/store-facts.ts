/**
 * Stores what the report says first. It is part of the transaction that stores what alerts have
 * told, so that both know the same days.
 */
import type { Session } from '../../database/database.ts';
import type { PeriodFacts } from './explain-period.ts';

const STORE = `INSERT INTO report_facts (length, day, facts) VALUES ($1, $2, $3)
  ON CONFLICT (length) DO UPDATE SET day = excluded.day, facts = excluded.facts`;

/** @param periods none: those that are stored stay */
export async function storeFacts(
  { run }: Pick<Session, 'run'>,
  periods: readonly PeriodFacts[],
): Promise<void> {
  for (const period of periods)
    await run(STORE, [period.length, period.day, JSON.stringify(period)]);
}
