/** The body of a thread that sends mails: messages from the main thread, and the transport. */
import { parentPort } from 'node:worker_threads';
import type { MailRow, MailStore } from '../store/registration-store.ts';
import { startMailer } from './send-mails.ts';
import type { FromMailWorker, MailThreadData, ToMailWorker } from './start-mail-worker.ts';
import { type Mail, openMailFolder, openSmtp } from './transport.ts';

/** Upper bound of the pause before a new mail, because on a busy machine even this thread's work could be measured. */
const LONGEST_PAUSE_MS = 1000;

/** Sends the mails of a store until the main thread says stop. */
export function runMailThread<R extends MailRow>(
  data: MailThreadData,
  store: MailStore<R>,
  write: (row: R) => Mail | Promise<Mail>,
): void {
  const send = (message: FromMailWorker) => parentPort?.postMessage(message);
  const logAt =
    (level: FromMailWorker['level']) =>
    (...entry: unknown[]) =>
      send({ level, entry });
  const mailer = startMailer({
    store,
    transport: data.smtpUrl
      ? openSmtp(new URL(data.smtpUrl), data.from)
      : openMailFolder(data.folder, data.from),
    owner: data.owner,
    write,
    log: { error: logAt('error'), warn: logAt('warn'), info: logAt('info') },
  });
  parentPort?.on('message', async (message: ToMailWorker) => {
    if (message.kind === 'wake') {
      setTimeout(mailer.wake, Math.random() * LONGEST_PAUSE_MS);
      return;
    }
    await mailer.stop(message.timeoutMs);
    await store.close();
    // Without the open port the thread ends.
    parentPort?.close();
  });
}
