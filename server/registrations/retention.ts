/** Deletes old registrations, and their files in the folder of mails. */
import { rmSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Settings } from '../settings.ts';
import { UNCLEAR } from './mail/kept-mails.ts';
import { mailFile } from './mail/transport.ts';
import type { RegistrationStore } from './store/registration-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Runs now and once a day. @param days 0: registrations are kept */
export function startRetention(
  config: Settings,
  days: number,
  store: RegistrationStore,
  log: Pick<Logger, 'error' | 'info'>,
): { stop(): void } {
  if (days === 0) return { stop() {} };
  const purge = async () => {
    try {
      const ids = await store.removeBefore(new Date(Date.now() - days * DAY_MS));
      removeMailFiles(config.files.mail, ids);
      if (ids.length > 0) log.info(`Removed ${ids.length} registrations older than ${days} days`);
    } catch (err) {
      log.error({ err }, 'Old registrations could not be removed');
    }
  };
  void purge();
  const timer = setInterval(purge, DAY_MS).unref();
  return { stop: () => clearInterval(timer) };
}

export function removeMailFiles(folder: string, ids: readonly string[]): void {
  for (const id of ids)
    for (const suffix of ['', UNCLEAR]) rmSync(mailFile(folder, id) + suffix, { force: true });
}
