/**
 * The transaction that notes a mail and what it told. A crash between the two would mail a change
 * twice, or never.
 */
import type { Session } from '../../database/database.ts';
import type { Memory } from '../causes/read-news.ts';
import { storeFacts } from '../causes/store-facts.ts';

const NOTE = 'INSERT INTO report_mails (id, sent_at) VALUES ($1, $2) ON CONFLICT DO NOTHING';
const REMEMBER = `INSERT INTO report_told (id, day, told) VALUES (1, $1, $2)
  ON CONFLICT (id) DO UPDATE SET day = excluded.day, told = excluded.told`;

/**
 * @param id of the mail; null: there was nothing to mail
 * @param memory null: the mail told no change
 */
export async function noteMail(
  { run }: Session,
  ids: readonly string[],
  now: number,
  memory: Memory | null,
): Promise<void> {
  for (const id of ids) await run(NOTE, [id, now]);
  if (memory === null) return;
  await run(REMEMBER, [memory.day, JSON.stringify(memory.told)]);
  await storeFacts({ run }, memory.facts ?? []);
}
