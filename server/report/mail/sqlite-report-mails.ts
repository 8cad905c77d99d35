/** Weekly reports in the registrations' SQLite file. */
import { DatabaseSync } from 'node:sqlite';
import { openSqliteRegistrations } from '../../registrations/store/sqlite-registrations.ts';
import type { ReportMailStore } from './report-mail-store.ts';

const LOCK_TIMEOUT_MS = 2000;

/** Makes the file with its tables if it is missing. */
export function openSqliteReportMails(path: string): ReportMailStore {
  const registrations = openSqliteRegistrations(path);
  const db = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  const plan = db.prepare(
    `INSERT INTO report_mails (id, week, created_at, next_at) VALUES (?, ?, ?, ?) ON CONFLICT (week) DO NOTHING`,
  );
  const claim = db.prepare(
    `UPDATE report_mails SET owner = ?, attempts = attempts + 1, next_at = ?
     WHERE id = (SELECT id FROM report_mails WHERE next_at <= ? ORDER BY attempts, next_at LIMIT 1)
     RETURNING id, week, created_at, attempts`,
  );
  const waiting = db.prepare('SELECT 1 FROM report_mails WHERE next_at IS NOT NULL LIMIT 1');
  const release = db.prepare(
    `UPDATE report_mails SET owner = NULL, next_at = min(next_at, ?)
     WHERE next_at IS NOT NULL AND attempts > 0 AND (owner IS NULL OR owner = ?)`,
  );
  const sent = db.prepare('UPDATE report_mails SET owner = NULL, next_at = NULL WHERE id = ?');
  const delay = db.prepare(
    'UPDATE report_mails SET owner = NULL, next_at = ? WHERE id = ? AND owner = ?',
  );
  const refuse = db.prepare(
    'UPDATE report_mails SET owner = NULL, next_at = NULL, refusal = ? WHERE id = ? AND owner = ?',
  );
  return {
    async plan({ id, week, createdAt }) {
      plan.run(id, week, createdAt.toISOString(), createdAt.toISOString());
    },
    async claimMail(owner, now, until) {
      const row = claim.get(owner, until.toISOString(), now.toISOString());
      if (!row) return null;
      const createdAt = new Date(String(row.created_at));
      return {
        row: { id: String(row.id), week: String(row.week), createdAt },
        attempt: Number(row.attempts),
      };
    },
    async hasWaitingMails() {
      return waiting.get() !== undefined;
    },
    async releaseMails(owner, now) {
      release.run(now.toISOString(), owner);
    },
    async mailSent(id) {
      sent.run(id);
    },
    async mailDelayed(id, owner, until) {
      delay.run(until.toISOString(), id, owner);
    },
    async mailRefused(id, owner, reason) {
      refuse.run(reason, id, owner);
    },
    async close() {
      db.close();
      await registrations.close();
    },
  };
}
