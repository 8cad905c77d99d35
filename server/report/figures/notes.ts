/**
 * Reads the team's notes (table `report_notes`), which are flags under the report's chart. The
 * forms write them (report/sharing/notes-and-shares.ts).
 */
import { type Database, rowsAs } from '../../database/database.ts';

export interface Note {
  /** Date in the team's time zone: 2026-01-31. */
  day: string;
  note: string;
}

/** Reads all notes, sorted by day. Later notes have larger ids (UUID v7). */
export const readNotes = async (db: Database): Promise<(Note & { id: string })[]> =>
  rowsAs(await db.read('SELECT id, day, note FROM report_notes ORDER BY day, id'));
