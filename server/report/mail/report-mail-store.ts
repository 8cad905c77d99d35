/** The outbox of weekly reports: one row per week, in the registrations' database. */
import type { Config } from '../../config.ts';
import type { MailRow, MailStore } from '../../registrations/store/registration-store.ts';

export interface ReportMailRow extends MailRow {
  /** ISO week, such as 2026-W05. */
  week: string;
}

export interface ReportMailStore extends MailStore<ReportMailRow> {
  /** Adds the mail of a week, due at once. Changes nothing if any server has added it before. */
  plan(mail: ReportMailRow): Promise<void>;
}

export interface ReportMailPlace extends Pick<Config, 'databaseUrl'> {
  files: Pick<Config['files'], 'registrations'>;
}

/** Loads the PostgreSQL client only if it is needed. */
export async function openReportMails({
  databaseUrl,
  files,
}: ReportMailPlace): Promise<ReportMailStore> {
  if (!databaseUrl) {
    const { openSqliteReportMails } = await import('./sqlite-report-mails.ts');
    return openSqliteReportMails(files.registrations);
  }
  const { openPostgresReportMails } = await import('./postgres-report-mails.ts');
  return openPostgresReportMails(databaseUrl);
}
