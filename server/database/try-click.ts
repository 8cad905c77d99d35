/** Tests that the database takes a click: runs a click's statements, and rolls them back. */
import { dayOf } from '../time.ts';
import type { Session } from './database.ts';

const INSERT_CLICK = `
  INSERT INTO clicks (id, event, received_at, via,
    is_bot, is_internal, is_automated, is_private, is_known)
  VALUES ($1, 'probe', $2, 'fetch', false, false, false, false, true)`;
/** Inserts a counter of its own, so that no other server waits for the row's lock. */
const INSERT_COUNT = `
  INSERT INTO click_counts (day, event, is_bot, server, n)
  VALUES ('1970-01-01', 'probe', false, $1, 1)`;
/** Writes to the counters that this server's clicks of the day use, without a change. */
const REWRITE_COUNTS = `
  UPDATE click_counts
  SET n = n
  WHERE day = $1 AND server = $2`;
const INSERT_EVENT = `
  INSERT INTO posthog_outbox (uuid, queued_at, due_at, attempts)
  VALUES ($1, $2, $2, 0)`;
const NOTE_PROBE = `
  INSERT INTO probes (server, at)
  VALUES ($1, $2)
  ON CONFLICT (server) DO UPDATE
  SET at = excluded.at`;

/**
 * Writes a row to each table to which a click writes. The caller rolls them back.
 *
 * @param server name of this server among those that share the database
 * @param id a UUID that no row has
 * @param now milliseconds since 1970
 */
export async function tryClick(
  { run }: Session,
  server: string,
  id: string,
  now: number,
): Promise<void> {
  await run(INSERT_CLICK, [id, now]);
  await run(INSERT_COUNT, [id]);
  await run(REWRITE_COUNTS, [dayOf(now), server]);
  await run(INSERT_EVENT, [id, now]);
}

/**
 * Probes the database: tries a click, rolls it back, and writes a row to `probes`. The row makes
 * the commit wait for the disk and the standby, as a click's commit does.
 */
export async function probeWrites(
  session: Session,
  server: string,
  id: string,
  now: number,
): Promise<void> {
  await session.run('SAVEPOINT before_click');
  await tryClick(session, server, id, now);
  await session.run('ROLLBACK TO SAVEPOINT before_click');
  await session.run(NOTE_PROBE, [server, now]);
}
