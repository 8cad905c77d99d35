/**
 * Notes in one transaction that a mail was sent and which changes it named. With two transactions,
 * a crash in between would mail a change twice, or never.
 */
import type { Session } from '../../database/database.ts';
import type { Memory } from '../causes/read-news.ts';
import { storeFacts } from '../causes/store-facts.ts';

const NOTE_SENT_MAIL = `
  INSERT INTO report_mails (id, sent_at)
  VALUES ($1, $2)
  ON CONFLICT DO NOTHING`;
/** Replaces the only row of the table. */
const STORE_MEMORY = `
  INSERT INTO report_told (id, day, told)
  VALUES (1, $1, $2)
  ON CONFLICT (id) DO UPDATE
  SET day = excluded.day, told = excluded.told`;

/**
 * Stores that a mail was sent, and the state for the next look.
 *
 * @param ids ids for `report_mails`; empty: no mail was sent, and only the memory is stored
 * @param now milliseconds since 1970
 * @param memory state for the next look, with its facts. null: the mail was not about a look
 */
export async function noteMail(
  { run }: Session,
  ids: readonly string[],
  now: number,
  memory: Memory | null,
): Promise<void> {
  for (const id of ids) await run(NOTE_SENT_MAIL, [id, now]);
  if (memory === null) return;
  await run(STORE_MEMORY, [memory.day, JSON.stringify(memory.told)]);
  await storeFacts({ run }, memory.facts ?? []);
}
