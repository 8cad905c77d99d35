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
 * Finds a known address, and writes its row again: the answer then waits for the disk as the answer
 * to a new address does, and its time does not tell which one it was.
 */
const FIND_AND_REWRITE = `
  UPDATE registrations
  SET email_hash = email_hash
  WHERE email_hash = $1
  RETURNING id`;
const COUNT_MAILS_OF_MAILBOX = `
  SELECT COUNT(*) AS n
  FROM registrations
  WHERE mailbox_hash = $1 AND mail_due_at >= $2`;
const FIND_LAST_TURN_OF_BLOCK = `
  SELECT MAX(turn) AS turn
  FROM mail_outbox
  WHERE block = $1 AND refused IS NULL`;

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
 * @param otherHashes keyed hashes of the address, under the ring's other keys
 * @returns whether the address is new
 */
export async function storeRegistration(
  { run, insertNew }: Session,
  row: RegistrationRow,
  otherHashes: string[],
  { block, days }: Origin,
): Promise<boolean> {
  for (const hash of [row.email_hash, ...otherHashes])
    if ((await run(FIND_AND_REWRITE, [hash])).length > 0) return false;
  const today = row.registered_at - (row.registered_at % DAY_MS);
  const [mails] = await run(COUNT_MAILS_OF_MAILBOX, [row.mailbox_hash, today]);
  // Each day on which the mailbox gets all of its mails moves this mail to the next one.
  const daysOfMailbox = Math.floor(Number(mails?.n) / MAILS_PER_MAILBOX_AND_DAY);
  const wait = Math.max(daysOfMailbox, days);
  const due = wait === 0 ? row.registered_at : today + wait * DAY_MS;
  // Nothing is inserted if another server has stored the address just now.
  const kept = await insertNew('registrations', 'id', [{ ...row, mail_due_at: due }]);
  if (kept.length === 0) return false;
  const [last] = await run(FIND_LAST_TURN_OF_BLOCK, [block]);
  const turn = last?.turn == null ? 0 : Number(last.turn) + 1;
  await insertNew('mail_outbox', 'id', [{ id: row.id, due_at: due, attempts: 0, block, turn }]);
  return true;
}

/** A mail's state: its row of `mail_outbox`, or null in both if it was sent. */
export type ListedRow = RegistrationRow & { attempts: number | null; refused: string | null };

const LIST_REGISTRATIONS = `
  SELECT registrations.*, attempts, refused
  FROM registrations
  LEFT JOIN mail_outbox ON mail_outbox.id = registrations.id
  ORDER BY registrations.id`;

export const readRows = async (db: Database): Promise<ListedRow[]> =>
  (await db.read(LIST_REGISTRATIONS)) as never;

export const KEYS_IN_USE = 'SELECT DISTINCT key_id FROM registrations';

/** Deletes a person's registration and its mail. $1: hash of the address, under one of the keys. */
export const DELETE_REGISTRATION = 'DELETE FROM registrations WHERE email_hash = $1 RETURNING id';

/** Two servers with different keys may have made two rows of one address: the older one stays. */
const DELETE_YOUNGER_OF_ADDRESS = `
  DELETE FROM registrations
  WHERE (email_hash = $1 AND id > $2)
    OR (id = $2 AND EXISTS (SELECT 1 FROM registrations WHERE email_hash = $1 AND id < $2))`;
const REPLACE_REGISTRATION = `
  UPDATE registrations
  SET email_hash = $2, mailbox_hash = $3, key_id = $4, encrypted = $5
  WHERE id = $1`;

/** Replaces rows by those that are encrypted with another key. */
export async function replaceRegistrations(
  { run }: Session,
  rows: RegistrationRow[],
): Promise<void> {
  for (const { id, email_hash, mailbox_hash, key_id, encrypted } of rows) {
    await run(DELETE_YOUNGER_OF_ADDRESS, [email_hash, id]);
    await run(REPLACE_REGISTRATION, [id, email_hash, mailbox_hash, key_id, encrypted]);
  }
}

/** A new mail does not wait for those that failed before, and address blocks take turns. */
const FIND_DUE_MAIL = `
  SELECT registrations.*, attempts
  FROM mail_outbox
  JOIN registrations ON registrations.id = mail_outbox.id
  WHERE refused IS NULL AND due_at <= $1
  ORDER BY attempts, turn, due_at
  LIMIT 1`;
/** Stores that a mail was sent. $1: its id. */
export const DELETE_SENT_MAIL = 'DELETE FROM mail_outbox WHERE id = $1';
/** Stores that a mail is put off. It then comes after the mails of other blocks with its turn. */
export const POSTPONE_MAIL = `
  UPDATE mail_outbox
  SET attempts = $2, due_at = $3, turn = turn + 1
  WHERE id = $1`;
/** Stores why a mail is not sent any more. */
export const REFUSE_MAIL = `
  UPDATE mail_outbox
  SET refused = $2
  WHERE id = $1`;
const READ_MAIL_BACKLOG = `
  SELECT COUNT(*) AS waiting, MIN(mail_due_at) AS "oldestAt"
  FROM mail_outbox
  JOIN registrations ON registrations.id = mail_outbox.id
  WHERE refused IS NULL`;

/** `attempts`: how often the SMTP server has put it off. */
export type DueMail = RegistrationRow & { attempts: number };

/** @returns the mail that is due, among those with the fewest attempts, whose turn is next */
export const readDueMail = async (db: Database, now: number): Promise<DueMail | undefined> =>
  (await db.read(FIND_DUE_MAIL, [now]))[0] as never;

/** The mails that are due, or will be. `oldestAt`: when the oldest of them might be sent first. */
export const readMailBacklog = async (db: Database): Promise<Backlog> =>
  (await db.read(READ_MAIL_BACKLOG))[0] as never;
