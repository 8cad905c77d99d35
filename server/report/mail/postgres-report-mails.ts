/** Weekly reports in PostgreSQL, shared by several servers. */
import { openPostgresQueries } from '../../database/postgres-queries.ts';
import type { ReportMailStore } from './report-mail-store.ts';

/** Opens the pool without a query. A missing database is noticed with the first query. */
export function openPostgresReportMails(url: URL): ReportMailStore {
  const { ask, pool } = openPostgresQueries(url);
  return {
    async plan({ id, week, createdAt }) {
      await ask(
        `INSERT INTO report_mails (id, week, created_at, next_at) VALUES ($1, $2, $3, $3) ON CONFLICT (week) DO NOTHING`,
        [id, week, createdAt],
      );
    },
    async claimMail(owner, now, until) {
      const [row] = await ask(CLAIM, [owner, until, now]);
      if (!row) return null;
      return {
        row: { id: String(row.id), week: String(row.week), createdAt: row.created_at as Date },
        attempt: Number(row.attempts),
      };
    },
    async hasWaitingMails() {
      return (
        (await ask('SELECT 1 FROM report_mails WHERE next_at IS NOT NULL LIMIT 1', [])).length > 0
      );
    },
    async releaseMails(owner, now) {
      await ask(
        `UPDATE report_mails SET owner = NULL, next_at = least(next_at, $2)
         WHERE next_at IS NOT NULL AND attempts > 0 AND (owner IS NULL OR owner = $1)`,
        [owner, now],
      );
    },
    async mailSent(id) {
      await ask('UPDATE report_mails SET owner = NULL, next_at = NULL WHERE id = $1', [id]);
    },
    async mailDelayed(id, owner, until) {
      await ask('UPDATE report_mails SET owner = NULL, next_at = $3 WHERE id = $1 AND owner = $2', [
        id,
        owner,
        until,
      ]);
    },
    async mailRefused(id, owner, reason) {
      await ask(
        'UPDATE report_mails SET owner = NULL, next_at = NULL, refusal = $3 WHERE id = $1 AND owner = $2',
        [id, owner, reason],
      );
    },
    close: () => pool.end(),
  };
}

const CLAIM = `
  UPDATE report_mails SET owner = $1, attempts = attempts + 1, next_at = $2
  WHERE id = (
    SELECT id FROM report_mails WHERE next_at <= $3
    ORDER BY attempts, next_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  RETURNING id, week, created_at, attempts`;
