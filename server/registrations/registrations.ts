/** The service for registrations: persons on its interface, encrypted rows in the database, and the sender of their mails. */
import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Language } from '#contract/language.ts';
import type { Registration } from '#contract/register.schema.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings.ts';
import { hashEmail, makeRow } from './encryption.ts';
import { openRing } from './key-ring.ts';
import { nextSteps } from './mail/next-steps.ts';
import { type MailPace, startMailSender } from './mail/sender.ts';
import { storeRegistration } from './store-registrations.ts';

export type Registrations = Awaited<ReturnType<typeof openRegistrations>>;

interface Parts {
  db: Database;
  log: Logger;
  pace?: Partial<MailPace> | undefined;
}

/** @throws (rejects with) an Error that says what to do, when the keys do not fit the registrations */
export async function openRegistrations(
  settings: Settings,
  site: BuiltSite,
  { db, log, pace }: Parts,
) {
  const ring = await openRing(settings, db);
  const [, ...older] = ring;
  let stop = async (): Promise<void> => {};
  return {
    /** Keeps the first registration of each e-mail address. Nothing reveals whether the address was known. @param delayMs of its mail */
    async add(
      { firstName, lastName, email, smaType }: Registration,
      language: Language,
      delayMs: number,
    ): Promise<void> {
      const row = makeRow(ring, randomUUIDv7(), Date.now(), {
        ...{ firstName, lastName, email, smaType: smaType || null },
        ...(language !== 'en' && { language }),
      });
      const otherHashes = older.map((key) => hashEmail(key, email));
      await db.transaction(storeRegistration, row, otherHashes, row.registered_at + delayMs);
    },
    /** Sends mails from now on, if there is an SMTP server. */
    startMails(): void {
      const { smtpUrl, mailFrom } = settings;
      const from = mailFrom ?? site.mail.contactEmail;
      const texts = nextSteps(site.mail);
      if (smtpUrl) stop = startMailSender({ db, ring, texts, smtpUrl, from, log, pace });
      else if (site.registerForm)
        log.warn('No SMTP_URL: mails after registrations are not sent. They wait in the database');
    },
    /** Begins no other mail, and waits a moment for the one under way. The database must be open until then. */
    stopMails: (): Promise<void> => stop(),
  };
}
