/** The mailer's thread: opens the database and sends due mails. Started by start-mail-worker.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../clock/clock.ts';
import { readClockFile } from '../../clock/clock-file.ts';
import { createClockGuard } from '../../clock/clock-guard.ts';
import { decrypt } from '../encryption.ts';
import { openRegistrationStore } from '../store/open-registration-store.ts';
import { startMailer } from './send-mails.ts';
import type { FromMailWorker, MailWorkerData, ToMailWorker } from './start-mail-worker.ts';
import { openMailFolder, openSmtp } from './transport.ts';

const data = workerData as MailWorkerData;
const send = (message: FromMailWorker) => parentPort?.postMessage(message);
const logAt =
  (level: FromMailWorker['level']) =>
  (...entry: unknown[]) =>
    send({ level, entry });

const store = await openRegistrationStore({
  databaseUrl: data.databaseUrl === null ? null : new URL(data.databaseUrl),
  files: { registrations: data.registrationsFile },
});
/** The main thread guards the clock and sends the last trusted moment. */
const guard =
  data.clock &&
  createClockGuard({
    clock: systemClock,
    reference: data.clock,
    log: { error() {}, info() {} },
    readMark: () => readClockFile(data.clockFile),
    onTrusted() {},
  });
const mailer = startMailer({
  store,
  transport: data.smtpUrl
    ? openSmtp(new URL(data.smtpUrl), data.from)
    : openMailFolder(data.folder, data.from),
  owner: data.owner,
  write: (row) => ({
    ...data.text,
    id: row.id,
    to: decrypt(data.ring, row).email,
    date: row.createdAt,
  }),
  trustedNow: () => guard?.now() ?? null,
  log: { error: logAt('error'), warn: logAt('warn'), info: logAt('info') },
});

/** Upper bound of the pause before a new mail, because on a busy machine even this thread's work could be measured. */
const LONGEST_PAUSE_MS = 1000;

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
