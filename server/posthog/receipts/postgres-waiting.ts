/** The waiting events in PostgreSQL. Any server may send them, after it has claimed them. */
import type { PostgresQueries } from '../../database/postgres-queries.ts';
import type { ReceiptStore, WaitingEvent } from './receipt-store.ts';

type Waiting = Pick<
  ReceiptStore,
  'keep' | 'dueEvents' | 'postpone' | 'discard' | 'discardVisits' | 'expireWaiting' | 'waitingSize'
>;

export function createPostgresWaiting(ask: PostgresQueries['ask']): Waiting {
  return {
    async keep(events, dueAt) {
      const bodies = events.map(({ event }) => JSON.stringify(event));
      await ask(KEEP, [
        events.map(({ event }) => event.uuid),
        events.map(({ channel }) => channel),
        bodies,
        bodies.map((body) => Buffer.byteLength(body)),
        events.map(({ attempts }) => attempts),
        dueAt,
      ]);
    },
    async dueEvents(now, limit) {
      const rows = await ask(DUE, [now, limit]);
      return rows.map(({ channel, body, attempts }) => ({
        channel: channel as WaitingEvent['channel'],
        event: JSON.parse(String(body)),
        attempts: Number(attempts),
      }));
    },
    async postpone(uuids, dueAt) {
      await ask(
        `UPDATE posthog_waiting_events SET attempts = attempts + 1, due_at = $2
         WHERE uuid = ANY($1)`,
        [uuids, dueAt],
      );
    },
    async discard(uuids) {
      await ask('DELETE FROM posthog_waiting_events WHERE uuid = ANY($1)', [uuids]);
    },
    async discardVisits(visits) {
      const rows = await ask(
        "DELETE FROM posthog_waiting_events WHERE body::json->>'distinct_id' = ANY($1) RETURNING uuid",
        [visits],
      );
      return rows.length;
    },
    async expireWaiting(before) {
      const rows = await ask(
        'DELETE FROM posthog_waiting_events WHERE kept_at < $1 RETURNING uuid',
        [before],
      );
      return rows.length;
    },
    async waitingSize() {
      const [row] = await ask(SIZE, []);
      return { events: Number(row?.events), bytes: Number(row?.bytes) };
    },
  };
}

const KEEP = `
  INSERT INTO posthog_waiting_events (uuid, channel, body, bytes, attempts, kept_at, due_at)
  SELECT *, clock_timestamp(), $6 FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::int[])
  ON CONFLICT DO NOTHING`;
const DUE = `
  SELECT channel, body, attempts FROM posthog_waiting_events
  WHERE due_at <= $1 ORDER BY due_at LIMIT $2`;
const SIZE =
  'SELECT count(*) AS events, coalesce(sum(bytes), 0) AS bytes FROM posthog_waiting_events';
