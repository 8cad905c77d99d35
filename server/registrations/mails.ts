/**
 * Sends the mails after registrations, one after the other. A mail's row is deleted when the SMTP
 * server has taken it. After a crash in between, the mail is sent again with the same Message-ID
 * (docs/decisions.md#the-promised-mail).
 */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { toAsciiAddress } from '#contract/email-address.ts';
import type { Language } from '#contract/language.ts';
import { mail as english } from '#words/en/mail.ts';
import { mail as spanish } from '#words/es/mail.ts';
import { type Database, type Value, write } from '../database/database.ts';
import type { FromAddress, Mail, MailFault } from '../mail/smtp.ts';
import type { Settings } from '../settings.ts';
import { type Clock, HOUR_MS, SECOND_MS } from '../time.ts';
import { openRow } from './envelope.ts';
import type { KeyRing } from './key-ring.ts';
import {
  DELETE_SENT_MAIL,
  type DueMail,
  POSTPONE_MAIL,
  REFUSE_MAIL,
  readDueMail,
} from './store-registrations.ts';

/**
 * Delay of the next attempt after the SMTP server has put a mail off. Doubles up to `longestMs`.
 */
const BACKOFF = { firstMs: 30 * SECOND_MS, longestMs: 4 * HOUR_MS };
/** Attempts after which a mail expires: with delays of 30 s to 4 h, after about five days. */
const MOST_ATTEMPTS = 38;
/**
 * Upper bound of all mails an hour. A talk at a conference does not bring so many registrations.
 */
const PER_HOUR = 500;

const WORDS: Record<Language, typeof english> = { en: english, es: spanish };

interface MailSenderParts {
  settings: Pick<Settings, 'MAIL_FROM'>;
  site: Pick<BuiltSite, 'mail'>;
  db: Database;
  ring: KeyRing;
  log: Pick<Logger, 'warn'>;
  /** Hands a mail to the SMTP server. Rejects with a MailFault. */
  send: (from: FromAddress, mail: Mail) => Promise<void>;
  now?: Clock | undefined;
  delays?: typeof BACKOFF | undefined;
  perHour?: number | undefined;
}

/** Creates the sender. A job calls `settle` and `sendNext` in turn. */
export function createMailSender(parts: MailSenderParts) {
  const { settings, site, db, ring, log, send } = parts;
  const { now = Date.now, delays = BACKOFF, perHour = PER_HOUR } = parts;
  // The sender has no name by default: the product's name may name the illness, and mailboxes show
  // senders without opening the mail.
  const from = settings.MAIL_FROM ?? { name: '', address: site.mail.contactEmail };
  /** Times of the mails that were sent in the last hour, in milliseconds since 1970. */
  let sentAt: number[] = [];
  /**
   * Outcome of the last mail that the database has not stored yet. No other mail is sent before
   * that: the database would give the same mail again.
   */
  let unsettled: Outcome | null = null;

  const settle = async (): Promise<void> => {
    if (unsettled) await write(db, ...unsettled);
    unsettled = null;
  };
  /** Decrypts and sends a mail. Rejects with a Fault. */
  const sendDue = async (due: DueMail): Promise<void> => {
    const { email, language = 'en' } = await openRow(ring, due);
    const { subject, text } = writeNextSteps(site.mail, language);
    const date = new Date(due.registered_at);
    await send(from, { id: due.id, to: [toAsciiAddress(email) ?? email], date, subject, text });
  };
  return {
    /** Stores the outcome of the last mail, if the database could not store it before. */
    settle,
    /**
     * Sends the next mail that is due, and stores its outcome. Call `settle` first.
     *
     * @returns whether more mails may be due
     * @throws (rejects with) the Fault of an SMTP server that takes no mail now, or a DatabaseFault
     */
    async sendNext(): Promise<boolean> {
      sentAt = sentAt.filter((at) => at > now() - HOUR_MS);
      if (sentAt.length >= perHour) return false;
      const due = await readDueMail(db, now());
      if (!due) return false;
      const [sent] = await Promise.allSettled([sendDue(due)]);
      const fault: Fault | null = sent.status === 'rejected' ? sent.reason : null;
      unsettled = outcomeOf(fault, due, { now: now(), delays, log });
      if (!fault) sentAt.push(now());
      await settle();
      if (fault?.kind === 'away') throw fault;
      return true;
    },
  };
}

/**
 * Why a mail was not sent: a MailFault of the SMTP server, or an Error (without `kind`) that names
 * the row and its missing key.
 */
type Fault = Error & Partial<MailFault>;

/** The statement that stores whether a mail was sent, put off or refused, with its values. */
type Outcome = [sql: string, values: Value[]];

/**
 * Decides what becomes of a mail: sent without a fault; put off with back-off; refused for good, or
 * after MOST_ATTEMPTS.
 */
function outcomeOf(
  fault: Fault | null,
  { id, attempts }: DueMail,
  { now, delays, log }: { now: number; delays: typeof BACKOFF; log: MailSenderParts['log'] },
): Outcome {
  if (!fault) return [DELETE_SENT_MAIL, [id]];
  const { kind = 'delayed', message: reason } = fault;
  // The SMTP server may have broken off because of this mail, so all other mails come before it.
  if (kind === 'away') return [POSTPONE_MAIL, [id, attempts, now]];
  if (kind === 'refused' || attempts >= MOST_ATTEMPTS) {
    const refused = kind === 'refused' ? reason : 'expired';
    log.warn({ mail: id, reason: refused }, 'A mail was refused, and is not tried again');
    return [REFUSE_MAIL, [id, refused]];
  }
  if (attempts === 0) log.warn({ mail: id, reason }, 'A mail is put off');
  const delay = Math.min(delays.firstMs * 2 ** attempts, delays.longestMs);
  return [POSTPONE_MAIL, [id, attempts + 1, now + delay]];
}

/**
 * Writes the mail. It contains nothing that a visitor typed: the address is unproven, so anybody
 * could send words to strangers through the form. Subject and sender, which are visible without
 * opening the mail, do not name the illness.
 */
function writeNextSteps(facts: BuiltSite['mail'], language: Language) {
  const words = WORDS[language](facts);
  const text = `${words.greeting}

${words.opening}

1. ${words.account}:
   ${facts.signUpUrl}
2. ${words.connect}
3. ${words.share}

${words.forget(facts.contactEmail)}
${words.privacy}: ${facts.privacyUrl}
`;
  return { subject: words.subject, text };
}
