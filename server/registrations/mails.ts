/**
 * Sends the mails after registrations: one after the other, from one server at a time. A mail's row is deleted when the SMTP server
 * has taken it. After a crash in between it is sent again with the same Message-ID (docs/decisions.md#the-promised-mail).
 */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Language } from '#contract/language.ts';
import { mail as english } from '#words/en/mail.ts';
import { mail as spanish } from '#words/es/mail.ts';
import { type Database, type Value, write } from '../database/database.ts';
import { type MailFault, sendMail } from '../mail/smtp.ts';
import { repeat } from '../process/repeat.ts';
import type { Settings } from '../settings.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { decrypt, type KeyRing } from './encryption.ts';
import { type DueMail, POSTPONE, REFUSE, readDueMail, SENT } from './store-registrations.ts';

/** Milliseconds, except `mostAttempts` and `perHour`. */
const PACE = {
  /** Rest while no mail is due, or another server sends. */
  idle: 5_000,
  /** The pause of all mails after a fault that is not one mail's. It doubles with every further one. */
  firstPause: 5 * SECOND_MS,
  longestPause: 5 * MINUTE_MS,
  /** The delay of one mail that the SMTP server puts off, which doubles too. */
  firstDelay: 30 * SECOND_MS,
  longestDelay: 4 * HOUR_MS,
  /** Such a mail expires after five days: delays of 30 s to 4 h. */
  mostAttempts: 38,
  /** How long a stopping server waits for the mail under way. */
  lastMs: 500,
  /** Upper bound of all mails. That is more families than a talk at a conference sends. */
  perHour: 500,
};
export type MailPace = typeof PACE;

const WORDS: Record<Language, typeof english> = { en: english, es: spanish };

interface Parts {
  settings: Settings;
  site: BuiltSite;
  db: Database;
  ring: KeyRing;
  log: Pick<Logger, 'error' | 'warn' | 'info'>;
  pace?: Partial<MailPace> | undefined;
}

/**
 * Sends mails from now on, if there is an SMTP server.
 *
 * @returns a function that ends it after a moment for the mail under way. The next process sends an interrupted mail again
 */
export function startMails(parts: Parts): () => Promise<void> {
  const { settings, site, db, log } = parts;
  const { SMTP_URL: smtpUrl } = settings;
  if (!smtpUrl) {
    if (site.registerForm)
      log.warn('No SMTP_URL: mails after registrations are not sent. They wait in the database');
    return async () => {};
  }
  const pace = { ...PACE, ...parts.pace };
  let sentAt: number[] = [];
  /** The last mail's outcome, until the database has it. A sent mail would otherwise be sent again. */
  let unsettled: Outcome | null = null;

  const settle = async () => {
    if (unsettled) await write(db, ...unsettled);
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
    if (!due) return pace.idle;
    const [sent] = await Promise.allSettled([send(due, parts, smtpUrl)]);
    const fault: Fault | null = sent.status === 'rejected' ? sent.reason : null;
    unsettled = outcomeOf(fault, due, pace, log);
    await settle();
    if (fault?.kind === 'away') throw fault;
    if (!fault) sentAt.push(Date.now());
    return 0;
  };
  return repeat(sendNext, {
    ...pace,
    onFailure: (reason) => log.error({ reason }, 'Mails cannot be sent; they wait'),
    onEnd: () => log.info('Mails can be sent again'),
  }).stop;
}

/** A mail's, or an Error that names row and key, where the registration's key is missing. */
type Fault = Error & Partial<MailFault>;

/** Rejects with a Fault. */
async function send(due: DueMail, { ring, settings, site }: Parts, smtpUrl: URL): Promise<void> {
  const from = settings.MAIL_FROM ?? site.mail.contactEmail;
  const { email, language = 'en' } = decrypt(ring, due);
  const own = { id: due.id, to: [email], date: new Date(due.registered_at) };
  await sendMail(smtpUrl, from, { ...nextSteps(site.mail, language), ...own });
}

/** The statement that keeps it. */
type Outcome = [sql: string, values: Value[]];

function outcomeOf(
  fault: Fault | null,
  { id, attempts }: DueMail,
  pace: MailPace,
  log: Parts['log'],
): Outcome {
  if (!fault) return [SENT, [id]];
  const { kind = 'delayed', message: reason } = fault;
  // Behind the others, because it may be the cause.
  if (kind === 'away') return [POSTPONE, [id, attempts, Date.now()]];
  if (kind === 'refused' || attempts >= pace.mostAttempts) {
    const refused = kind === 'refused' ? reason : 'expired';
    log.warn({ mail: id, reason: refused }, 'A mail was refused, and is not tried again');
    return [REFUSE, [id, refused]];
  }
  if (attempts === 0) log.warn({ mail: id, reason }, 'A mail is put off');
  const delay = Math.min(pace.firstDelay * 2 ** attempts, pace.longestDelay);
  return [POSTPONE, [id, attempts + 1, Date.now() + delay]];
}

/**
 * The text has no visitor's input: the address is unproven, and the form must not send anyone's words to strangers. Subject and
 * sender, which are visible without opening the mail, do not name the illness.
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
