/** The waiting events in node:sqlite, in the receipts' file. */
import type { DatabaseSync } from 'node:sqlite';
import type { ReceiptStore, WaitingEvent, WaitingSize } from './receipt-store.ts';

type Waiting = Pick<
  ReceiptStore,
  'keep' | 'dueEvents' | 'postpone' | 'discard' | 'discardVisits' | 'expireWaiting' | 'waitingSize'
>;

export function createSqliteWaiting(
  db: DatabaseSync,
  transaction: <T>(work: () => T) => T,
  now: () => number,
): Waiting {
  const insert = db.prepare(
    `INSERT INTO waiting_events (uuid, channel, body, bytes, attempts, kept_at, due_at)
     VALUES (unhex(?, '-'), ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const due = db.prepare(
    'SELECT channel, body, attempts FROM waiting_events WHERE due_at <= ? ORDER BY due_at LIMIT ?',
  );
  const postpone = db.prepare(
    "UPDATE waiting_events SET attempts = attempts + 1, due_at = ? WHERE uuid = unhex(?, '-')",
  );
  const remove = db.prepare(
    "DELETE FROM waiting_events WHERE uuid = unhex(?, '-') RETURNING bytes",
  );
  const removeVisit = db.prepare(
    "DELETE FROM waiting_events WHERE json_extract(body, '$.distinct_id') = ? RETURNING bytes",
  );
  const expire = db.prepare('DELETE FROM waiting_events WHERE kept_at < ? RETURNING bytes');
  const size = readSize(db);
  const removed = (rows: { bytes?: unknown }[]) => {
    size.events -= rows.length;
    for (const { bytes } of rows) size.bytes -= Number(bytes);
  };

  return {
    async keep(events, dueAt) {
      const added: number[] = [];
      transaction(() => {
        for (const { channel, event, attempts } of events) {
          const body = JSON.stringify(event);
          const bytes = Buffer.byteLength(body);
          const values = [channel, body, bytes, attempts, now(), dueAt.getTime()] as const;
          if (insert.run(event.uuid, ...values).changes === 1) added.push(bytes);
        }
      });
      size.events += added.length;
      for (const bytes of added) size.bytes += bytes;
    },
    async dueEvents(at, limit) {
      return due.all(at.getTime(), limit).map(
        ({ channel, body, attempts }): WaitingEvent => ({
          channel: channel as WaitingEvent['channel'],
          event: JSON.parse(String(body)),
          attempts: Number(attempts),
        }),
      );
    },
    async postpone(uuids, dueAt) {
      transaction(() => uuids.forEach((uuid) => void postpone.run(dueAt.getTime(), uuid)));
    },
    async discard(uuids) {
      removed(transaction(() => uuids.flatMap((uuid) => remove.all(uuid))));
    },
    async discardVisits(visits) {
      const rows = transaction(() => visits.flatMap((visit) => removeVisit.all(visit)));
      removed(rows);
      return rows.length;
    },
    async expireWaiting(before) {
      const rows = expire.all(before.getTime());
      removed(rows);
      return rows.length;
    },
    waitingSize: async () => ({ ...size }),
  };
}

/**
 * Counts once. Afterwards the size is kept in memory. `clicks forget` may remove a few events meanwhile; the size is then a
 * little too high until the next start.
 */
function readSize(db: DatabaseSync): WaitingSize {
  const row = db
    .prepare('SELECT count(*) AS events, total(bytes) AS bytes FROM waiting_events')
    .get();
  return { events: Number(row?.events), bytes: Number(row?.bytes) };
}
