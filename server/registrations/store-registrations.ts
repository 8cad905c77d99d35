/**
 * Reads and writes the table `registrations`, whose rows are encrypted: only the time and the
 * hashes of the address are readable. And the table `mail_outbox`, the queue of mails: a row
 * without address and text until the SMTP server has taken the mail.
 */
import { type Backlog, type Database, rowsAs, type Session } from '../database/database.ts';
import { DAY_MS } from '../time.ts';

/**
 * Upper bound of mails to one mailbox a day. A family may register several members with tags
 * (a+b@…); more mails wait for the next days, so that strangers cannot flood a mailbox.
 */
const MAILS_PER_MAILBOX_AND_DAY = 3;

export interface RegistrationRow {
  id: string;
  /** Time of the registration, in milliseconds since 1970 like every time in this file. */
  registered_at: number;
  /** Keyed hash of the address in hexadecimal digits (hash-email.ts). */
  email_hash: string;
  /** Keyed hash of the mailbox, which several addresses may share. */
  mailbox_hash: string;
  /** Id of the key with which the row is encrypted and hashed. */
  key_id: string;
  /** The person's fields, as a JWE (envelope.ts). */
  encrypted: string;
}

/**
 * Finds a registered address, and writes its row again without a change. The answer then waits for
 * the disk as the answer to a new address does, so its time does not reveal which one it was.
 */
const FIND_AND_REWRITE = `
  UPDATE registrations
  SET email_hash = email_hash
  WHERE email_hash = $1
  RETURNING id`;
/** Counts the mails to a mailbox ($1) that were due at or after a time ($2). */
const COUNT_MAILS_OF_MAILBOX = `
  SELECT COUNT(*) AS n
  FROM registrations
  WHERE mailbox_hash = $1 AND mail_due_at >= $2`;
/** Finds the highest turn among the waiting mails of an address block ($1). */
const FIND_LAST_TURN_OF_BLOCK = `
  SELECT MAX(turn) AS turn
  FROM mail_outbox
  WHERE block = $1 AND refused IS NULL`;

/** Address block from which a registration comes (blocks.ts). */
export interface Origin {
  /** Keyed hash of the address block. */
  block: string;
  /** Number of days for which the mail waits, because the block has reached its daily limit. */
  days: number;
}

/**
 * Stores a registration and queues its mail, if its address is new. `turn` is the number of waiting
 * mails of the same address block before it (round robin): a family's mail does not wait for
 * hundreds of mails of another block.
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
  // A mailbox that has its three mails of today gets this one tomorrow, and so on.
  const daysOfMailbox = Math.floor(Number(mails?.n) / MAILS_PER_MAILBOX_AND_DAY);
  const waitDays = Math.max(daysOfMailbox, days);
  const due = waitDays === 0 ? row.registered_at : today + waitDays * DAY_MS;
  // Inserts nothing if another server has stored the address since the first query.
  const kept = await insertNew('registrations', 'id', [{ ...row, mail_due_at: due }]);
  if (kept.length === 0) return false;
  const [last] = await run(FIND_LAST_TURN_OF_BLOCK, [block]);
  const turn = last?.turn == null ? 0 : Number(last.turn) + 1;
  await insertNew('mail_outbox', 'id', [{ id: row.id, due_at: due, attempts: 0, block, turn }]);
  return true;
}

/** A registration with the state of its mail. Both are null if the mail was sent. */
export type ListedRow = RegistrationRow & { attempts: number | null; refused: string | null };

const LIST_REGISTRATIONS = `
  SELECT registrations.*, attempts, refused
  FROM registrations
  LEFT JOIN mail_outbox ON mail_outbox.id = registrations.id
  ORDER BY registrations.id`;

/** Reads all registrations, the oldest first. */
export const readRows = async (db: Database): Promise<ListedRow[]> =>
  rowsAs(await db.read(LIST_REGISTRATIONS));

/** Lists the ids of the keys that rows need. */
export const LIST_KEYS_IN_USE = 'SELECT DISTINCT key_id FROM registrations';

/** Deletes a registration and, by its foreign key, its mail. $1: keyed hash of the address. */
export const DELETE_REGISTRATION = 'DELETE FROM registrations WHERE email_hash = $1 RETURNING id';

/**
 * Deletes the younger of two rows of one address. Two servers with different keys may have stored
 * both: $1 is the hash under the new key, $2 the id of the row that is encrypted again.
 */
const DELETE_YOUNGER_OF_ADDRESS = `
  DELETE FROM registrations
  WHERE (email_hash = $1 AND id > $2)
    OR (id = $2 AND EXISTS (SELECT 1 FROM registrations WHERE email_hash = $1 AND id < $2))`;
/** Replaces what depends on the key in a row ($1: its id). */
const REPLACE_REGISTRATION = `
  UPDATE registrations
  SET email_hash = $2, mailbox_hash = $3, key_id = $4, encrypted = $5
  WHERE id = $1`;

/** Replaces rows by the same registrations, encrypted with another key. */
export async function replaceRegistrations(
  { run }: Session,
  rows: RegistrationRow[],
): Promise<void> {
  for (const { id, email_hash, mailbox_hash, key_id, encrypted } of rows) {
    await run(DELETE_YOUNGER_OF_ADDRESS, [email_hash, id]);
    await run(REPLACE_REGISTRATION, [id, email_hash, mailbox_hash, key_id, encrypted]);
  }
}

/**
 * Finds the next mail that is due at a time ($1). Those with fewer attempts come first, so that a
 * new mail does not wait for failing ones; then address blocks take turns.
 */
const FIND_DUE_MAIL = `
  SELECT registrations.*, attempts
  FROM mail_outbox
  JOIN registrations ON registrations.id = mail_outbox.id
  WHERE refused IS NULL AND due_at <= $1
  ORDER BY attempts, turn, due_at
  LIMIT 1`;
/** Removes a mail that was sent from the queue. $1: its id. */
export const DELETE_SENT_MAIL = 'DELETE FROM mail_outbox WHERE id = $1';
/**
 * Puts a mail off. Its turn grows, so it comes after mails of other blocks that had the same turn.
 */
export const POSTPONE_MAIL = `
  UPDATE mail_outbox
  SET attempts = $2, due_at = $3, turn = turn + 1
  WHERE id = $1`;
/** Stores why a mail is never sent again. The row stays, and operators see the reason. */
export const REFUSE_MAIL = `
  UPDATE mail_outbox
  SET refused = $2
  WHERE id = $1`;
/** Counts the mails that were neither sent nor refused. */
const READ_MAIL_BACKLOG = `
  SELECT COUNT(*) AS waiting, MIN(mail_due_at) AS "oldestAt"
  FROM mail_outbox
  JOIN registrations ON registrations.id = mail_outbox.id
  WHERE refused IS NULL`;

/** A registration whose mail is due. `attempts`: how often the SMTP server has put the mail off. */
export type DueMail = RegistrationRow & { attempts: number };

/** Reads the next mail to send. Undefined: none is due. @param now milliseconds since 1970 */
export const readDueMail = async (db: Database, now: number): Promise<DueMail | undefined> =>
  rowsAs<DueMail>(await db.read(FIND_DUE_MAIL, [now]))[0];

/** Reads how many mails wait, and since when the oldest of them could have been sent. */
export const readMailBacklog = async (db: Database): Promise<Backlog> =>
  rowsAs<Backlog>(await db.read(READ_MAIL_BACKLOG))[0] as Backlog;
