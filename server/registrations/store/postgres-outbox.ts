/** The outbox of mails on PostgreSQL. Servers skip mails that others hold locked, so that none waits. */
import type { Row } from '../../database/postgres-queries.ts';
import type { RegistrationRow, RegistrationStore } from './registration-store.ts';

type Outbox = Pick<
  RegistrationStore,
  | 'claimMail'
  | 'mailBacklog'
  | 'hasWaitingMails'
  | 'releaseMails'
  | 'mailSent'
  | 'mailDelayed'
  | 'mailRefused'
>;

export function createOutbox(
  ask: (text: string, values: readonly unknown[]) => Promise<Row[]>,
): Outbox {
  return {
    async claimMail(owner, now, until) {
      const [row] = await ask(CLAIM, [owner, until, now]);
      return row ? { row: readRow(row), attempt: Number(row.attempts) } : null;
    },
    async mailBacklog() {
      const [row] = await ask(BACKLOG, []);
      return {
        waiting: Number(row?.waiting),
        oldest: (row?.oldest as Date | null) ?? null,
        refused: Number(row?.refused),
      };
    },
    async hasWaitingMails() {
      return (await ask('SELECT 1 FROM mails WHERE refusal IS NULL LIMIT 1', [])).length > 0;
    },
    async releaseMails(owner, now) {
      await ask(
        `UPDATE mails SET owner = NULL, next_at = least(next_at, $2)
         WHERE refusal IS NULL AND attempts > 0 AND (owner IS NULL OR owner = $1)`,
        [owner, now],
      );
    },
    async mailSent(id) {
      await ask('DELETE FROM mails WHERE id = $1', [id]);
    },
    async mailDelayed(id, owner, until) {
      await ask('UPDATE mails SET owner = NULL, next_at = $3 WHERE id = $1 AND owner = $2', [
        id,
        owner,
        until,
      ]);
    },
    async mailRefused(id, owner, reason) {
      await ask(
        'UPDATE mails SET owner = NULL, next_at = NULL, refusal = $3 WHERE id = $1 AND owner = $2',
        [id, owner, reason],
      );
    },
  };
}

const CLAIM = `
  WITH claimed AS (
    UPDATE mails SET owner = $1, attempts = attempts + 1, next_at = $2
    WHERE id = (
      SELECT id FROM mails WHERE next_at <= $3
      ORDER BY attempts, next_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING id, attempts
  )
  SELECT r.*, claimed.attempts FROM claimed JOIN registrations r USING (id)`;

const BACKLOG = `
  SELECT count(*) FILTER (WHERE refusal IS NULL) AS waiting,
         count(*) FILTER (WHERE refusal IS NOT NULL) AS refused,
         min(created_at) FILTER (WHERE refusal IS NULL) AS oldest
  FROM mails JOIN registrations USING (id)`;

export function readRow(row: Row): RegistrationRow {
  return {
    id: String(row.id),
    createdAt: row.created_at as Date,
    emailHash: row.lookup as Buffer,
    keyId: String(row.key_id),
    encrypted: row.sealed as Buffer,
  };
}
