/**
 * The notes of the table `report_notes`: flags under the report's chart. The forms write them
 * (report/sharing/notes-and-shares.ts).
 */
import type { Database } from '../../database/database.ts';

export interface Note {
  /** In the team's time zone: 2026-01-31. */
  day: string;
  note: string;
}

/** Returns notes by day. Their ids rise with the time of their making. */
export const readNotes = async (db: Database): Promise<(Note & { id: string })[]> =>
  (await db.read('SELECT id, day, note FROM report_notes ORDER BY day, id')) as never;
