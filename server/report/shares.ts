/**
 * The table `report_shares`: addresses that open the report of one ref without a password. It has the hashes of their tokens, so that
 * a backup opens no report.
 */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Database, write } from '../database/database.ts';
import { linkSchema } from '../links/known-links.ts';

export interface Share {
  tokenHash: string;
  ref: string;
  /** Milliseconds since 1970. */
  endsAt: number;
}

const MOST_DAYS = 366;
const DAY_FAULT = `It must be a day from today to ${MOST_DAYS} days ahead.`;
const ADD = 'INSERT INTO report_shares (token_hash, ref, made_at, ends_at) VALUES ($1, $2, $3, $4)';
const READ =
  'SELECT token_hash AS "tokenHash", ref, ends_at AS "endsAt" FROM report_shares WHERE ends_at > $1';
const DELETE_ENDED = 'DELETE FROM report_shares WHERE ends_at <= $1';
const DELETE = 'DELETE FROM report_shares WHERE token_hash = $1';

/** Of the form's fields. `until` is the last day. @param today in the team's time zone */
export const shareSchema = (today: Temporal.PlainDate) =>
  z.object({
    code: linkSchema.shape.code,
    until: z.iso.date(DAY_FAULT).refine((day) => {
      const { days } = today.until(day);
      return days >= 0 && days <= MOST_DAYS;
    }, DAY_FAULT),
  });

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** @returns the token, which cannot be read again */
export async function makeShare(
  db: Database,
  { ref, endsAt }: Omit<Share, 'tokenHash'>,
  now: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await write(db, DELETE_ENDED, [now]);
  await write(db, ADD, [hashOf(token), ref, now, endsAt]);
  return token;
}

/** @returns null: the token is unknown or has ended */
export async function findShare(db: Database, token: string, now: number): Promise<Share | null> {
  const [share = null] = await db.read(`${READ} AND token_hash = $2`, [now, hashOf(token)]);
  return share as Share | null;
}

/** @returns those that have not ended */
export const readShares = async (db: Database, now: number): Promise<Share[]> =>
  (await db.read(`${READ} ORDER BY ref, ends_at`, [now])) as never;

export const deleteShare = (db: Database, tokenHash: string) => write(db, DELETE, [tokenHash]);
