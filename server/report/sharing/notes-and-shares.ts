/**
 * Writes the table `report_notes`, whose notes are flags under the report's chart. Writes and reads
 * `report_shares`: addresses that open the report of one ref without a password. That table has
 * only hashes of the tokens in these addresses, so that nobody can open a report with a stolen
 * backup.
 */
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { MAX_REFERRER } from '#contract/limits.ts';
import { refKey } from '#contract/ref.ts';
import { type Database, rowsAs, write } from '../../database/database.ts';
import type { Note } from '../figures/notes.ts';

const NOTE_FAULT = 'It must be 1 to 60 visible characters.';
/** Upper bound for the days until an address ends. */
const MOST_DAYS = 366;
const CODE_FAULT = 'It must be the code of a link, such as clinic-7.';
const DAY_FAULT = `It must be a day from today to ${MOST_DAYS} days ahead.`;

/** Schema of the fields of the form for notes. */
export const noteSchema = z.object({
  day: z.iso.date('It must be a day like 2026-01-31.'),
  note: z
    .string(NOTE_FAULT)
    .trim()
    .regex(/^\P{C}{1,60}$/u, NOTE_FAULT),
});

/**
 * Makes the schema of the fields of the form for shares. `until` is the last day of the address.
 *
 * @param today in the team's time zone
 */
export function shareSchema(today: Temporal.PlainDate) {
  const [first, last] = [today, today.add({ days: MOST_DAYS })].map(String) as [string, string];
  const until = z.iso.date(DAY_FAULT).refine((day) => day >= first && day <= last, DAY_FAULT);
  // Any spelling is accepted, because visits may have come by a code of which nobody made a link.
  const code = z.string(CODE_FAULT).trim().max(MAX_REFERRER, CODE_FAULT);
  const isCode = (text: string) => ![null, '', 'none'].includes(refKey(text));
  return z.object({ code: code.refine(isCode, CODE_FAULT), until });
}

const ADD_NOTE = `
  INSERT INTO report_notes (id, day, note)
  VALUES ($1, $2, $3)`;
const ADD_SHARE = `
  INSERT INTO report_shares (token_hash, ref, made_at, ends_at)
  VALUES ($1, $2, $3, $4)`;
const READ_SHARES = `
  SELECT token_hash AS id, ref, ends_at AS "endsAt"
  FROM report_shares
  WHERE ends_at > $1
  ORDER BY ref, ends_at`;
const DELETE_ENDED_SHARES = 'DELETE FROM report_shares WHERE ends_at <= $1';
/** Statements that delete a note or a share, by the value of the button that was pressed. */
export const DELETE = {
  unnote: 'DELETE FROM report_notes WHERE id = $1',
  unshare: 'DELETE FROM report_shares WHERE token_hash = $1',
};

/** Stores a note. */
export const addNote = (db: Database, { day, note }: Note) =>
  write(db, ADD_NOTE, [randomUUIDv7(), day, note]);

/** Returns the hash of a token: SHA-256 in hexadecimal digits. Tokens are random, so no salt. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/**
 * Makes an address for readers, and deletes those that have ended.
 *
 * @param endsAt milliseconds since 1970, like `now`
 * @returns the token. It cannot be read again
 */
export async function makeShare(db: Database, ref: string, endsAt: number, now: number) {
  const token = randomBytes(32).toString('base64url');
  await write(db, DELETE_ENDED_SHARES, [now]);
  await write(db, ADD_SHARE, [hashOf(token), ref, now, endsAt]);
  return token;
}

/** Finds the share of a token. Null: the token is unknown or has ended. */
export const findShare = async (db: Database, token: string, now: number) =>
  (await readShares(db, now)).find(({ id }) => id === hashOf(token)) ?? null;

/** A share. `id` is the hash of its token. */
type Share = Record<'id' | 'ref', string> & { endsAt: number };

/** Reads the shares that have not ended. @param now milliseconds since 1970 */
export const readShares = async (db: Database, now: number): Promise<Share[]> =>
  rowsAs(await db.read(READ_SHARES, [now]));
