/** Opens the registrations: their database, their keys, their mails and their retention. */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { isAway } from '../database/is-away.ts';
import type { Settings } from '../settings.ts';
import { type KeyRing, openOwnKeyFile } from './key-ring.ts';
import { keptIds } from './mail/kept-mails.ts';
import { nextSteps } from './mail/next-steps.ts';
import type { Mailer } from './mail/send-mails.ts';
import { type MailWorkerData, startMailWorker } from './mail/start-mail-worker.ts';
import { createRegistrations, type Registrations } from './registrations.ts';
import { startRetention } from './retention.ts';
import { readServerId } from './server-id.ts';
import { openRegistrationStore } from './store/open-registration-store.ts';
import type { RegistrationStore } from './store/registration-store.ts';

/** Owner of mail claims with SQLite, where one server has the database. Several servers use their ids. */
export const ownerOf = ({ databaseUrl, files }: Settings) =>
  databaseUrl ? readServerId(files.serverId) : 'this server';

export interface OpenRegistrations extends Registrations, Pick<RegistrationStore, 'mailBacklog'> {
  /** Waits a moment for the mail under way. */
  close(): Promise<void>;
}

/**
 * @throws an Error that says what to do, when the keys do not fit the registrations
 */
export async function openRegistrations(
  config: Settings,
  site: BuiltSite,
  log: Logger,
): Promise<OpenRegistrations> {
  const store = await openRegistrationStore(config);
  try {
    const ring = await openRing(config, store);
    const mailer = openMailer(config, site, store, ring, log);
    const retention = startRetention(config, site.registrationRetentionDays, store, log);
    return {
      ...createRegistrations(store, ring, mailer.wake),
      mailBacklog: store.mailBacklog,
      async close() {
        retention.stop();
        await mailer.stop(LAST_MAIL_MS);
        await store.close();
      },
    };
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

const LAST_MAIL_MS = 500;

/**
 * Returns the given keys, or those of the server's own file.
 *
 * @throws an Error that says what to do, when registrations are encrypted with a missing key
 */
export async function openRing(config: Settings, store: RegistrationStore): Promise<KeyRing> {
  // No check while the database does not answer. A missing key is then found when a mail is sent.
  const inUse = await store.keyIds().catch((cause) => {
    if (isAway(cause)) return [];
    throw cause;
  });
  const ring =
    config.registrationKeys ??
    openOwnKeyFile(config.files.registrationKeys, () => inUse.length > 0);
  const missing = inUse.filter((id) => !ring.some((key) => key.id === id));
  if (missing.length > 0) {
    throw new Error(
      `Registrations are encrypted with the key "${missing.join('", "')}", which is not among those given. Give it after the current one.`,
    );
  }
  return ring;
}

function openMailer(
  config: Settings,
  site: BuiltSite,
  store: RegistrationStore,
  ring: KeyRing,
  log: Logger,
): Mailer {
  const { smtpUrl, databaseUrl, files } = config;
  if (!smtpUrl && site.registerForm) {
    log.warn(
      `No SMTP_URL: mails after registrations are not sent. They are files in ${files.mail}`,
    );
  }
  const kept = smtpUrl ? keptIds(files.mail).length : 0;
  if (kept > 0)
    log.info(
      `${kept} mails in ${files.mail} are files from a time without SMTP_URL. "npm run registrations -- send-files" sends them`,
    );
  const data = {
    databaseUrl: databaseUrl?.href ?? null,
    registrationsFile: files.registrations,
    smtpUrl: smtpUrl?.href ?? null,
    folder: files.mail,
    from: config.mailFrom ?? site.mail.contactEmail,
    owner: ownerOf(config),
    texts: { en: nextSteps(site.mail, 'en'), es: nextSteps(site.mail, 'es') },
    ring,
  };
  const thread = new URL('./mail/mail-worker.ts', import.meta.url);
  return startMailWorker<MailWorkerData>(thread, data, store, log);
}
