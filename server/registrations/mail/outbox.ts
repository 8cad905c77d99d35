/** The table `mail_outbox`: a mail is in it until the SMTP server has taken it. It has no address and no text. */
import { type Database, defineWork } from '../../database/database.ts';
import type { RegistrationRow } from '../store-registrations.ts';

/** A new mail does not wait for those that failed before. */
const DUE = `SELECT registrations.*, attempts FROM mail_outbox
  JOIN registrations ON registrations.id = mail_outbox.id
  WHERE refused IS NULL AND due_at <= $1 ORDER BY attempts, due_at LIMIT 1`;
const DELETE = 'DELETE FROM mail_outbox WHERE id = $1';
const POSTPONE = 'UPDATE mail_outbox SET attempts = $2, due_at = $3 WHERE id = $1';
const REFUSE = 'UPDATE mail_outbox SET refused = $2 WHERE id = $1';
const BACKLOG = `SELECT COUNT(*) AS waiting, MIN(mail_due_at) AS oldest_at FROM mail_outbox
  JOIN registrations ON registrations.id = mail_outbox.id WHERE refused IS NULL`;

export interface DueMail extends RegistrationRow {
  /** When it might be sent first, in milliseconds since 1970. */
  mail_due_at: number;
  /** How often the SMTP server has put it off. */
  attempts: number;
}

/** @returns the mail that is due, among those with the fewest attempts */
export async function readDueMail(db: Database, now: number): Promise<DueMail | null> {
  const [row] = await db.read(DUE, [now]);
  return (row as DueMail | undefined) ?? null;
}

/** The outcome of an attempt. `later`: from this time on, in milliseconds since 1970. */
export type MailOutcome = 'sent' | { later: number; attempts: number } | { refused: string };

export const settleMail = defineWork(
  import.meta.url,
  'settleMail',
  async ({ run }, id: string, outcome: MailOutcome): Promise<void> => {
    if (outcome === 'sent') await run(DELETE, [id]);
    else if ('later' in outcome) await run(POSTPONE, [id, outcome.attempts, outcome.later]);
    else await run(REFUSE, [id, outcome.refused]);
  },
);

export interface MailBacklog {
  /** Mails that are due, or will be. */
  waiting: number;
  /** When the oldest of them might be sent first, in milliseconds since 1970; null: none waits. */
  oldestAt: number | null;
}

export async function readMailBacklog(db: Database): Promise<MailBacklog> {
  const [row] = await db.read(BACKLOG);
  const { waiting, oldest_at } = row as { waiting: number; oldest_at: number | null };
  return { waiting, oldestAt: oldest_at };
}
