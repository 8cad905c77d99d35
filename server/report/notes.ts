/** The table `report_notes`: flags under the report's chart. */
import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { type Database, write } from '../database/database.ts';
import type { Note } from './model.ts';

const FAULT = 'It must be 1 to 60 visible characters.';
const READ =
  'SELECT id, day, note FROM report_notes WHERE day >= $1 AND day <= $2 ORDER BY day, id';
const NEWEST = 'SELECT id, day, note FROM report_notes ORDER BY id DESC LIMIT 1';
const ADD = 'INSERT INTO report_notes (id, day, note) VALUES ($1, $2, $3)';
const DELETE = 'DELETE FROM report_notes WHERE id = $1';

export const noteSchema = z.object({
  day: z.iso.date('It must be a day like 2026-01-31.'),
  note: z
    .string(FAULT)
    .trim()
    .regex(/^\P{C}{1,60}$/u, FAULT),
});

/** @param to the last day */
export const readNotes = async (db: Database, from: string, to: string): Promise<Note[]> =>
  (await db.read(READ, [from, to])) as never;

/** @returns the note that somebody added last; undefined: there is none */
export const lastNote = async (db: Database): Promise<Note | undefined> =>
  (await db.read(NEWEST))[0] as Note | undefined;

export const addNote = (db: Database, { day, note }: Omit<Note, 'id'>) =>
  write(db, ADD, [randomUUIDv7(), day, note]);

export const deleteNote = (db: Database, id: string) => write(db, DELETE, [id]);
