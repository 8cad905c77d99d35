/**
 * Writes the table `report_notes`, with flags under the report's chart. Writes and reads
 * `report_shares`, with addresses that open the report of one ref without a password. The table has
 * the hashes of their tokens, so that a backup opens no report.
 */
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { MAX_REFERRER } from '#contract/limits.ts';
import { refKey } from '#contract/ref.ts';
import { type Database, write } from '../../database/database.ts';
import type { Note } from '../figures/notes.ts';

const NOTE_FAULT = 'It must be 1 to 60 visible characters.';
const MOST_DAYS = 366;
const CODE_FAULT = 'It must be the code of a link, such as clinic-7.';
const DAY_FAULT = `It must be a day from today to ${MOST_DAYS} days ahead.`;

/** Of the form's fields. */
export const noteSchema = z.object({
  day: z.iso.date('It must be a day like 2026-01-31.'),
  note: z
    .string(NOTE_FAULT)
    .trim()
    .regex(/^\P{C}{1,60}$/u, NOTE_FAULT),
});

/** Of the form's fields. `until` is the last day. @param today in the team's time zone */
export function shareSchema(today: Temporal.PlainDate) {
  const [first, last] = [today, today.add({ days: MOST_DAYS })].map(String) as [string, string];
  const until = z.iso.date(DAY_FAULT).refine((day) => day >= first && day <= last, DAY_FAULT);
  // In any spelling, because visits may have come by a code of which nobody made a link.
  const code = z.string(CODE_FAULT).trim().max(MAX_REFERRER, CODE_FAULT);
  const isCode = (text: string) => ![null, '', 'none'].includes(refKey(text));
  return z.object({ code: code.refine(isCode, CODE_FAULT), until });
}

const ADD_NOTE = 'INSERT INTO report_notes (id, day, note) VALUES ($1, $2, $3)';
const ADD_SHARE =
  'INSERT INTO report_shares (token_hash, ref, made_at, ends_at) VALUES ($1, $2, $3, $4)';
const READ_SHARES = `SELECT token_hash AS id, ref, ends_at AS "endsAt" FROM report_shares
  WHERE ends_at > $1 ORDER BY ref, ends_at`;
const DELETE_ENDED = 'DELETE FROM report_shares WHERE ends_at <= $1';
/** By the value of the form's button. */
export const DELETE = {
  unnote: 'DELETE FROM report_notes WHERE id = $1',
  unshare: 'DELETE FROM report_shares WHERE token_hash = $1',
};

export const addNote = (db: Database, { day, note }: Note) =>
  write(db, ADD_NOTE, [randomUUIDv7(), day, note]);

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** @param endsAt milliseconds since 1970 @returns the token, which cannot be read again */
export async function makeShare(db: Database, ref: string, endsAt: number, now: number) {
  const token = randomBytes(32).toString('base64url');
  await write(db, DELETE_ENDED, [now]);
  await write(db, ADD_SHARE, [hashOf(token), ref, now, endsAt]);
  return token;
}

/** @returns null: the token is unknown or has ended */
export const findShare = async (db: Database, token: string, now: number) =>
  (await readShares(db, now)).find(({ id }) => id === hashOf(token)) ?? null;

type Share = Record<'id' | 'ref', string> & { endsAt: number };

/** @returns those that have not ended */
export const readShares = async (db: Database, now: number): Promise<Share[]> =>
  (await db.read(READ_SHARES, [now])) as never;
