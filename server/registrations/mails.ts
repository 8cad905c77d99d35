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

/** The delay of a mail that the SMTP server puts off. It doubles with each attempt. */
const DELAYS = { firstMs: 30 * SECOND_MS, longestMs: 4 * HOUR_MS };
/** A mail that is put off expires after five days: delays of 30 s to 4 h. */
const MOST_ATTEMPTS = 38;
/** Upper bound of all mails. That is more families than a talk at a conference sends. */
const PER_HOUR = 500;

const WORDS: Record<Language, typeof english> = { en: english, es: spanish };

interface Parts {
  settings: Pick<Settings, 'MAIL_FROM'>;
  site: Pick<BuiltSite, 'mail'>;
  db: Database;
  ring: KeyRing;
  log: Pick<Logger, 'warn'>;
  /** Gives a mail to the SMTP server. Rejects with a MailFault. */
  send: (from: FromAddress, mail: Mail) => Promise<void>;
  now?: Clock | undefined;
  delays?: typeof DELAYS | undefined;
  perHour?: number | undefined;
}

export function createMailSender(parts: Parts) {
  const { settings, site, db, ring, log, send } = parts;
  const { now = Date.now, delays = DELAYS, perHour = PER_HOUR } = parts;
  // Without a name, because the product's may name the illness.
  const from = settings.MAIL_FROM ?? { name: '', address: site.mail.contactEmail };
  let sentAt: number[] = [];
  /**
   * The last mail's outcome, until the database has it. A sent mail would otherwise be sent again.
   */
  let unsettled: Outcome | null = null;

  const settle = async (): Promise<void> => {
    if (unsettled) await write(db, ...unsettled);
    unsettled = null;
  };
  /** Rejects with a Fault. */
  const sendDue = async (due: DueMail): Promise<void> => {
    const { email, language = 'en' } = await openRow(ring, due);
    const { subject, text } = nextSteps(site.mail, language);
    const date = new Date(due.registered_at);
    await send(from, { id: due.id, to: [toAsciiAddress(email) ?? email], date, subject, text });
  };
  return {
    /** Stores the outcome of the mail before, if the database did not take it then. */
    settle,
    /**
     * Sends the mail that is due, and stores its outcome. `settle` must have succeeded before.
     *
     * @returns whether there may be more mails
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
 * Why a mail was not sent: the SMTP server's fault, or an Error that names row and key, where the
 * registration's key is missing.
 */
type Fault = Error & Partial<MailFault>;

/** The statement that stores what became of a mail. */
type Outcome = [sql: string, values: Value[]];

function outcomeOf(
  fault: Fault | null,
  { id, attempts }: DueMail,
  { now, delays, log }: { now: number; delays: typeof DELAYS; log: Parts['log'] },
): Outcome {
  if (!fault) return [DELETE_SENT_MAIL, [id]];
  const { kind = 'delayed', message: reason } = fault;
  // This mail may be why the SMTP server is away, so all others come before it.
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
 * The text has no visitor's input: the address is unproven, and the form must not send anyone's
 * words to strangers. Subject and sender, which are visible without opening the mail, do not name
 * the illness.
 */
function nextSteps(facts: BuiltSite['mail'], language: Language) {
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
