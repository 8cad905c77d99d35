/**
 * Sends the mails after registrations: one after the other, from one server at a time. A mail's row is deleted when the SMTP server
 * has taken it. After a crash in between it is sent again with the same Message-ID (docs/decisions/009-the-promised-mail.md).
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Language } from '#contract/language.ts';
import type { Database } from '../../database/database.ts';
import { type Mail, MailError, sendMail } from '../../mail/smtp.ts';
import { countFailures } from '../../process/failures.ts';
import { decrypt } from '../encryption.ts';
import type { KeyRing } from '../key-ring.ts';
import type { MailText } from './next-steps.ts';
import { type DueMail, type MailOutcome, readDueMail, settleMail } from './outbox.ts';

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
  texts: Record<Language, MailText>;
  smtpUrl: URL;
  /** The sender's address. */
  from: string;
  log: Pick<Logger, 'error' | 'warn' | 'info'>;
  pace?: Partial<MailPace> | undefined;
}

/** @returns a function that ends the sender. The next process sends an interrupted mail again */
export function startMailSender({ db, log, pace: changes, ...parts }: Parts): () => Promise<void> {
  const pace = { ...PACE, ...changes };
  const stopping = new AbortController();
  const failures = countFailures({
    ...pace,
    onFailure: (reason) => log.error({ reason }, 'Mails cannot be sent; they wait'),
    onEnd: () => log.info('Mails can be sent again'),
  });
  const quota = countPerHour(pace.perHour);
  /** The last mail's outcome, until the database has it. A sent mail would otherwise be sent again. */
  let unsettled: [id: string, outcome: MailOutcome] | null = null;

  const settle = async () => {
    if (unsettled) await db.transaction(settleMail, ...unsettled);
    unsettled = null;
  };
  /** @returns milliseconds until the next mail */
  const sendNext = async (): Promise<number> => {
    await settle();
    if (quota.isUsed() || !(await db.holds('mails'))) return pace.idle;
    const due = await readDueMail(db, Date.now());
    if (!due) {
      failures.end();
      return pace.idle;
    }
    const fault = await trySend(due, parts);
    const outcome = outcomeOf(fault, due, pace);
    unsettled = [due.id, outcome];
    report(due, fault, outcome, log);
    await settle();
    if (fault?.kind === 'away') return failures.add(fault.reason);
    failures.end();
    if (!fault) quota.add();
    return 0;
  };
  const run = async () => {
    // Now, because it holds the event loop for about 70 ms, in which a visitor would wait.
    await import('nodemailer');
    while (!stopping.signal.aborted) {
      const pause = await sendNext().catch((cause: Error) =>
        stopping.signal.aborted ? 0 : failures.add(cause.message),
      );
      await wait(pause, null, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, pace.lastMail);
    await Promise.race([running, late]);
    clearTimeout(limit);
  };
}

/** @returns null if the SMTP server has taken the mail */
async function trySend(
  due: DueMail,
  { ring, texts, smtpUrl, from }: Pick<Parts, 'ring' | 'texts' | 'smtpUrl' | 'from'>,
): Promise<MailError | null> {
  try {
    await sendMail(smtpUrl, from, writeMail(due, ring, texts));
    return null;
  } catch (cause) {
    if (cause instanceof MailError) return cause;
    // The message names only the row and the key.
    return new MailError('unreadable', (cause as Error).message);
  }
}

function writeMail(due: DueMail, ring: KeyRing, texts: Parts['texts']): Mail {
  const { email, language = 'en' } = decrypt(ring, due);
  return { ...texts[language], id: due.id, to: [email], date: new Date(due.registered_at) };
}

function outcomeOf(fault: MailError | null, due: DueMail, pace: MailPace): MailOutcome {
  const now = Date.now();
  if (!fault) return 'sent';
  if (fault.kind === 'refused') return { refused: fault.reason };
  const { attempts } = due;
  // Behind the others, because it may be the cause.
  if (fault.kind === 'away') return { later: now, attempts };
  // A registration without its key waits for it.
  if (fault.kind === 'unreadable') return { later: now + pace.longestPause, attempts };
  if (attempts >= pace.mostAttempts) return { refused: 'expired' };
  const delay = Math.min(pace.firstDelay * 2 ** attempts, pace.longestDelay);
  return { later: now + delay, attempts: attempts + 1 };
}

function report(
  { id, attempts }: DueMail,
  fault: MailError | null,
  outcome: MailOutcome,
  log: Parts['log'],
): void {
  if (fault?.kind === 'unreadable' || (fault?.kind === 'delayed' && attempts === 0))
    log.warn({ mail: id, reason: fault.reason }, 'A mail is put off');
  if (typeof outcome === 'object' && 'refused' in outcome)
    log.warn({ mail: id, reason: outcome.refused }, 'A mail was refused, and is not tried again');
}

function countPerHour(most: number) {
  let hour = 0;
  let count = 0;
  return {
    isUsed(): boolean {
      const now = Math.floor(Date.now() / HOUR_MS);
      if (now !== hour) [hour, count] = [now, 0];
      return count >= most;
    },
    add: () => (count += 1),
  };
}
