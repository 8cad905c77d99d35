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

runMailThread(data, store, (row) => ({
  ...data.text,
  id: row.id,
  to: decrypt(data.ring, row).email,
  date: row.createdAt,
}));
