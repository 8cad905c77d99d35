/** The thread for mails after registrations. Started by start-mail-worker.ts. */
import { workerData } from 'node:worker_threads';
import { decrypt } from '../encryption.ts';
import { openRegistrationStore } from '../store/open-registration-store.ts';
import { runMailThread } from './run-mail-thread.ts';
import type { MailWorkerData } from './start-mail-worker.ts';

const data = workerData as MailWorkerData;
const store = await openRegistrationStore({
  databaseUrl: data.databaseUrl === null ? null : new URL(data.databaseUrl),
  files: { registrations: data.registrationsFile },
});

runMailThread(data, store, (row) => {
  const { email, language = 'en' } = decrypt(data.ring, row);
  return { ...data.texts[language], id: row.id, to: email, date: row.createdAt };
});
