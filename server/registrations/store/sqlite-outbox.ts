/** The outbox of mails on node:sqlite, in the registrations' file. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { RegistrationRow, RegistrationStore } from './registration-store.ts';

export type Row = Record<string, SQLOutputValue>;

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

export function createSqliteOutbox(db: DatabaseSync, transaction: <T>(work: () => T) => T): Outbox {
  const claim = db.prepare(
    `UPDATE mails SET owner = ?, attempts = attempts + 1, next_at = ?
     WHERE id = (SELECT id FROM mails WHERE next_at <= ? ORDER BY attempts, next_at LIMIT 1)
     RETURNING id, attempts`,
  );
  const select = db.prepare('SELECT * FROM registrations WHERE id = ?');
  const release = db.prepare(
    `UPDATE mails SET owner = NULL, next_at = min(next_at, ?)
     WHERE refusal IS NULL AND attempts > 0 AND (owner IS NULL OR owner = ?)`,
  );
  const waiting = db.prepare('SELECT 1 FROM mails WHERE refusal IS NULL LIMIT 1');
  const backlog = db.prepare(BACKLOG);
  const remove = db.prepare('DELETE FROM mails WHERE id = ?');
  const delay = db.prepare('UPDATE mails SET owner = NULL, next_at = ? WHERE id = ? AND owner = ?');
  const refuse = db.prepare(
    'UPDATE mails SET owner = NULL, next_at = NULL, refusal = ? WHERE id = ? AND owner = ?',
  );

  return {
    async claimMail(owner, now, until) {
      return transaction(() => {
        const mail = claim.get(owner, until.toISOString(), now.toISOString());
        const row = mail && select.get(mail.id ?? null);
        return row ? { row: readRow(row), attempt: Number(mail.attempts) } : null;
      });
    },
    async mailBacklog() {
      const row = backlog.get();
      return {
        waiting: Number(row?.waiting),
        oldest: row?.oldest ? new Date(String(row.oldest)) : null,
        refused: Number(row?.refused),
      };
    },
    async hasWaitingMails() {
      return waiting.get() !== undefined;
    },
    async releaseMails(owner, now) {
      release.run(now.toISOString(), owner);
    },
    async mailSent(id) {
      remove.run(id);
    },
    async mailDelayed(id, owner, until) {
      delay.run(until.toISOString(), id, owner);
    },
    async mailRefused(id, owner, reason) {
      refuse.run(reason, id, owner);
    },
  };
}

const BACKLOG = `
  SELECT count(*) FILTER (WHERE refusal IS NULL) AS waiting,
         count(*) FILTER (WHERE refusal IS NOT NULL) AS refused,
         min(created_at) FILTER (WHERE refusal IS NULL) AS oldest
  FROM mails JOIN registrations USING (id)`;

export function readRow(row: Row): RegistrationRow {
  return {
    id: String(row.id),
    createdAt: new Date(String(row.created_at)),
    emailHash: Buffer.from(row.lookup as Uint8Array),
    keyId: String(row.key_id),
    encrypted: Buffer.from(row.sealed as Uint8Array),
  };
}
