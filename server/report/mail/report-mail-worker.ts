/** The thread that makes and mails weekly reports. Started by start-mail-worker.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { runMailThread } from '../../registrations/mail/run-mail-thread.ts';
import type { MailThreadData } from '../../registrations/mail/start-mail-worker.ts';
import { openReportMails } from './report-mail-store.ts';
import { type WeekReportOptions, writeWeekReport } from './week-report.ts';

export interface ReportMailData extends MailThreadData {
  report: Omit<WeekReportOptions, 'warn'>;
}

const data = workerData as ReportMailData;
const store = await openReportMails({
  databaseUrl: data.databaseUrl === null ? null : new URL(data.databaseUrl),
  files: { registrations: data.registrationsFile },
});
const warn = (message: string) => parentPort?.postMessage({ level: 'warn', entry: [message] });

runMailThread(data, store, (row) => writeWeekReport(row, { ...data.report, warn }));
