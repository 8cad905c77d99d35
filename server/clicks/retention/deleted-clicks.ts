/**
 * Notes each ledger file that retention deletes, so that a later rebuild can say which clicks are missing; and the clicks that
 * `clicks forget` removed, so that reports can explain the difference.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { madeAt } from '../id-time.ts';

const noteSchema = z.object({
  deleted_at: z.iso.datetime({ precision: 3 }),
  /** The file's name. */
  file: z.string(),
  clicks: z.int().nonnegative(),
  robots: z.int().nonnegative(),
  /** Id of the file's first line. Older versions did not note it. */
  first: z.string().optional(),
  /** When the oldest and the newest line were received. */
  oldest: z.iso.datetime({ precision: 3 }),
  newest: z.iso.datetime({ precision: 3 }),
  /** Their lines are tombstones, so the statistics still have them. Absent: the file was deleted by age. */
  reason: z.literal('forgotten').optional(),
});
export type DeletionNote = z.infer<typeof noteSchema>;

/** Writes and syncs the note. @throws the file system's error */
export function noteDeletion(path: string, note: DeletionNote): void {
  const fd = openSync(path, 'a', 0o640);
  try {
    writeSync(fd, `${JSON.stringify(note)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Clicks may arrive a week after their ids were made. One day more is for clocks that are set wrong. */
const LATEST_MS = 8 * 24 * 60 * 60 * 1000;

/** Has CLICK_RETENTION_DAYS deleted the file that began with this click? */
export function wasDeletedByAge(path: string, first: string): boolean {
  const madeMs = madeAt(first);
  return readNotes(path).some((note) => {
    if (note.reason === 'forgotten') return false;
    if (note.first !== undefined) return note.first === first;
    return Math.abs(Date.parse(note.oldest) - madeMs) <= LATEST_MS;
  });
}

/** @returns a sentence about the clicks that a rebuilt index lacks; null: it lacks none */
export function describeDeleted(path: string): string | null {
  const notes = readNotes(path).filter(({ reason }) => reason !== 'forgotten');
  const clicks = notes.reduce((sum, note) => sum + note.clicks, 0);
  if (clicks === 0) return null;
  const oldest = notes
    .map((note) => note.oldest)
    .sort()[0]
    ?.slice(0, 10);
  const newest = notes
    .map((note) => note.newest)
    .sort()
    .at(-1)
    ?.slice(0, 10);
  return (
    `The statistics lack ${clicks} clicks of ${oldest} to ${newest}: CLICK_RETENTION_DAYS has deleted their ledger files, ` +
    'and the index was rebuilt from the remaining files. A backup of site.sqlite still has the totals.'
  );
}

/** Keeps one note per file or run, because a crash between a note and its deletion leads to a second note. */
export function readNotes(path: string): DeletionNote[] {
  if (!existsSync(path)) return [];
  const notes = readFileSync(path, 'utf8').split('\n').flatMap(readNote);
  return [...new Map(notes.map((note) => [keyOf(note), note])).values()];
}

const keyOf = (note: DeletionNote) =>
  note.reason === 'forgotten' ? JSON.stringify(note) : note.file + note.oldest;

function readNote(line: string): DeletionNote[] {
  try {
    const parsed = noteSchema.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}
