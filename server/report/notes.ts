/** The table `report_notes`: flags under the report's chart. */
import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { type Database, write } from '../database/database.ts';

const FAULT = 'It must be 1 to 60 visible characters.';
const ADD = 'INSERT INTO report_notes (id, day, note) VALUES ($1, $2, $3)';
const DELETE = 'DELETE FROM report_notes WHERE id = $1';

export const noteSchema = z.object({
  day: z.iso.date('It must be a day like 2026-01-31.'),
  note: z
    .string(FAULT)
    .trim()
    .regex(/^\P{C}{1,60}$/u, FAULT),
});

export interface Note {
  /** Rises with the time of its making. */
  id: string;
  day: string;
  note: string;
}

export const readNotes = async (db: Database): Promise<Note[]> =>
  (await db.read('SELECT id, day, note FROM report_notes ORDER BY day, id')) as never;

export const addNote = (db: Database, { day, note }: Omit<Note, 'id'>) =>
  write(db, ADD, [randomUUIDv7(), day, note]);

export const deleteNote = (db: Database, id: string) => write(db, DELETE, [id]);
