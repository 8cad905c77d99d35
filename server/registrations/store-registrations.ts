/**
 * The table `registrations`, whose rows are encrypted: only the time and the hashes of the address
 * are readable. And the table `mail_outbox`: a mail is in it until the SMTP server has taken it,
 * without address and text.
 */
import type { Backlog, Database, Session } from '../database/database.ts';
import { DAY_MS } from '../time.ts';

/**
 * A family may register several members with tags. More mails wait for the next days, so that
 * strangers cannot flood a mailbox.
 */
const MAILS_PER_MAILBOX_AND_DAY = 3;

export interface RegistrationRow {
  id: string;
  /** Milliseconds since 1970, as every time here. */
  registered_at: number;
  /** Hexadecimal, as `mailbox_hash`. */
  email_hash: string;
  mailbox_hash: string;
  /** The key of the ring for encryption and hashes. */
  key_id: string;
  encrypted: string;
}

/**
 * A known address costs a write too, so that an answer's time does not tell whether it was known.
 */
const TOUCH = 'UPDATE registrations SET email_hash = email_hash WHERE email_hash = $1 RETURNING id';
const COUNT_OF_MAILBOX =
  'SELECT COUNT(*) AS n FROM registrations WHERE mailbox_hash = $1 AND mail_due_at >= $2';
const LAST_TURN = 'SELECT MAX(turn) AS turn FROM mail_outbox WHERE block = $1 AND refused IS NULL';

/** Where a registration comes from (blocks.ts). */
export interface Origin {
  /** Keyed hash of the address block. */
  block: string;
  /** Days for which its mail waits, because others of the block have mails today. */
  days: number;
}

/**
 * Stores a registration with its mail, if its address is new. The mail's turn is behind those of
 * the same address block, so that blocks take turns: a family's mail does not wait for hundreds of
 * another block.
 *
 * @param otherHashes of it, under the ring's other keys
 * @returns whether the address is new
 */
export async function storeRegistration(
  { run, insertNew }: Session,
  row: RegistrationRow,
  otherHashes: string[],
  { block, days }: Origin,
): Promise<boolean> {
  for (const hash of [row.email_hash, ...otherHashes])
    if ((await run(TOUCH, [hash])).length > 0) return false;
  const today = row.registered_at - (row.registered_at % DAY_MS);
  const [mails] = await run(COUNT_OF_MAILBOX, [row.mailbox_hash, today]);
  // The days from today on are full, but for the last one.
  const daysOfMailbox = Math.floor(Number(mails?.n) / MAILS_PER_MAILBOX_AND_DAY);
  const wait = Math.max(daysOfMailbox, days);
  const due = wait === 0 ? row.registered_at : today + wait * DAY_MS;
  // Another server may have stored the address just now.
  const kept = await insertNew('registrations', 'id', [{ ...row, mail_due_at: due }]);
  if (kept.length === 0) return false;
  const [last] = await run(LAST_TURN, [block]);
  const turn = last?.turn == null ? 0 : Number(last.turn) + 1;
  await insertNew('mail_outbox', 'id', [{ id: row.id, due_at: due, attempts: 0, block, turn }]);
  return true;
}

/** A mail's state: its row of `mail_outbox`, or null in both if it was sent. */
export type ListedRow = RegistrationRow & { attempts: number | null; refused: string | null };

const LIST = `SELECT registrations.*, attempts, refused FROM registrations
  LEFT JOIN mail_outbox ON mail_outbox.id = registrations.id
  ORDER BY registrations.id`;

export const readRows = async (db: Database): Promise<ListedRow[]> =>
  (await db.read(LIST)) as never;

export const KEYS_IN_USE = 'SELECT DISTINCT key_id FROM registrations';

/** Deletes a person's registration and its mail. $1: hash of the address, under one of the keys. */
export const DELETE_REGISTRATION = 'DELETE FROM registrations WHERE email_hash = $1 RETURNING id';

/** Two servers with different keys may have made two rows of one address: the older one stays. */
const DELETE_TWIN = `DELETE FROM registrations WHERE (email_hash = $1 AND id > $2)
  OR (id = $2 AND EXISTS (SELECT 1 FROM registrations WHERE email_hash = $1 AND id < $2))`;
const REPLACE = `UPDATE registrations SET email_hash = $2, mailbox_hash = $3, key_id = $4, encrypted = $5
  WHERE id = $1`;

export async function replaceRegistrations(
  { run }: Session,
  rows: RegistrationRow[],
): Promise<void> {
  for (const { id, email_hash, mailbox_hash, key_id, encrypted } of rows) {
    await run(DELETE_TWIN, [email_hash, id]);
    await run(REPLACE, [id, email_hash, mailbox_hash, key_id, encrypted]);
  }
}

/** A new mail does not wait for those that failed before, and address blocks take turns. */
const DUE_MAIL = `SELECT registrations.*, attempts FROM mail_outbox
  JOIN registrations ON registrations.id = mail_outbox.id
  WHERE refused IS NULL AND due_at <= $1 ORDER BY attempts, turn, due_at LIMIT 1`;
/** Outcomes of an attempt. $1: id. */
export const SENT = 'DELETE FROM mail_outbox WHERE id = $1';
/** It also goes behind those whose turn is the same. */
export const POSTPONE =
  'UPDATE mail_outbox SET attempts = $2, due_at = $3, turn = turn + 1 WHERE id = $1';
export const REFUSE = 'UPDATE mail_outbox SET refused = $2 WHERE id = $1';
const BACKLOG = `SELECT COUNT(*) AS waiting, MIN(mail_due_at) AS "oldestAt" FROM mail_outbox
  JOIN registrations ON registrations.id = mail_outbox.id WHERE refused IS NULL`;

/** `attempts`: how often the SMTP server has put it off. */
export type DueMail = RegistrationRow & { attempts: number };

/** @returns the mail that is due, among those with the fewest attempts, whose turn is next */
export const readDueMail = async (db: Database, now: number): Promise<DueMail | undefined> =>
  (await db.read(DUE_MAIL, [now]))[0] as never;

/** The mails that are due, or will be. `oldestAt`: when the oldest of them might be sent first. */
export const readMailBacklog = async (db: Database): Promise<Backlog> =>
  (await db.read(BACKLOG))[0] as never;
