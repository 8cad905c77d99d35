/**
 * Sends the mails after registrations: one after the other, from one server at a time. A mail's row is deleted when the SMTP server
 * has taken it. After a crash in between it is sent again with the same Message-ID (docs/decisions.md#the-promised-mail).
 */
import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { MailError, sendMail } from '../../mail/smtp.ts';
import { countFailures, repeat } from '../../process/failures.ts';
import { decrypt } from '../encryption.ts';
import type { KeyRing } from '../key-ring.ts';
import { type DueMail, type MailOutcome, readDueMail, settleMail } from '../store-registrations.ts';
import type { nextSteps } from './next-steps.ts';

/** Milliseconds, except `mostAttempts` and `perHour`. */
const PACE = {
  /** Rest while no mail is due, or another server sends. */
  idle: 5_000,
  /** The pause of all mails after a fault that is not one mail's. It doubles with every further one. */
  firstPause: 5_000,
  longestPause: 5 * 60_000,
  /** The delay of one mail that the SMTP server puts off, which doubles too. */
  firstDelay: 30_000,
  longestDelay: 4 * 60 * 60_000,
  /** Such a mail expires after five days: delays of 30 s to 4 h. */
  mostAttempts: 38,
  /** How long a stopping server waits for the mail under way. */
  lastMail: 500,
  /** Upper bound of all mails. That is more families than a talk at a conference sends. */
  perHour: 500,
};
export type MailPace = typeof PACE;

const HOUR_MS = 60 * 60 * 1000;

interface Parts {
  db: Database;
  ring: KeyRing;
  texts: ReturnType<typeof nextSteps>;
  smtpUrl: URL;
  /** The sender's address. */
  from: string;
  log: Pick<Logger, 'error' | 'warn' | 'info'>;
  pace?: Partial<MailPace> | undefined;
}

/** @returns a function that ends the sender. The next process sends an interrupted mail again */
export function startMailSender({ db, log, pace: changes, ...parts }: Parts): () => Promise<void> {
  const pace = { ...PACE, ...changes };
  const failures = countFailures({
    ...pace,
    onFailure: (reason) => log.error({ reason }, 'Mails cannot be sent; they wait'),
    onEnd: () => log.info('Mails can be sent again'),
  });
  /** Times of the last hour's mails. */
  let sentAt: number[] = [];
  /** The last mail's outcome, until the database has it. A sent mail would otherwise be sent again. */
  let unsettled: [id: string, outcome: MailOutcome] | null = null;

  const settle = async () => {
    if (unsettled) await settleMail(db, ...unsettled);
    unsettled = null;
  };
  /** @returns milliseconds until the next mail */
  const sendNext = async (): Promise<number> => {
    // At the start, because it holds the event loop for about 70 ms, in which a visitor would wait.
    await import('nodemailer');
    await settle();
    sentAt = sentAt.filter((at) => at > Date.now() - HOUR_MS);
    if (sentAt.length >= pace.perHour || !(await db.holds('mails'))) return pace.idle;
    const due = await readDueMail(db, Date.now());
    if (!due) {
      failures.end();
      return pace.idle;
    }
    const fault = await trySend(due, parts);
    unsettled = [due.id, outcomeOf(fault, due, pace, log)];
    await settle();
    if (fault?.kind === 'away') return failures.add(fault.reason);
    failures.end();
    if (!fault) sentAt.push(Date.now());
    return 0;
  };
  return repeat(sendNext, failures, pace.lastMail);
}

/** @returns null if the SMTP server has taken the mail */
async function trySend(
  due: DueMail,
  { ring, texts, smtpUrl, from }: Pick<Parts, 'ring' | 'texts' | 'smtpUrl' | 'from'>,
): Promise<MailError | null> {
  try {
    const { email, language = 'en' } = decrypt(ring, due);
    const date = new Date(due.registered_at);
    await sendMail(smtpUrl, from, { ...texts[language], id: due.id, to: [email], date });
    return null;
  } catch (cause) {
    if (cause instanceof MailError) return cause;
    // The message names only the row and the key.
    return new MailError('unreadable', (cause as Error).message);
  }
}

function outcomeOf(
  fault: MailError | null,
  { id, attempts }: DueMail,
  pace: MailPace,
  log: Parts['log'],
): MailOutcome {
  if (!fault) return 'sent';
  const { kind, reason } = fault;
  const now = Date.now();
  // Behind the others, because it may be the cause.
  if (kind === 'away') return { later: now, attempts };
  const isExpired = kind === 'delayed' && attempts >= pace.mostAttempts;
  if (kind === 'refused' || isExpired) {
    const refused = isExpired ? 'expired' : reason;
    log.warn({ mail: id, reason: refused }, 'A mail was refused, and is not tried again');
    return { refused };
  }
  if (kind === 'unreadable' || attempts === 0) log.warn({ mail: id, reason }, 'A mail is put off');
  // A registration without its key waits for it.
  if (kind === 'unreadable') return { later: now + pace.longestPause, attempts };
  const delay = Math.min(pace.firstDelay * 2 ** attempts, pace.longestDelay);
  return { later: now + delay, attempts: attempts + 1 };
}
