/**
 * The table `registrations`, and the mails that its rows queue. A row is encrypted: only its time and the hashes of its address are
 * readable.
 */
import { type Database, defineWork } from '../database/database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A family may register several members with tags. More mails wait for the next days, so that strangers cannot flood a mailbox. */
const MAILS_PER_MAILBOX_AND_DAY = 3;

export interface RegistrationRow {
  /** UUID v7. */
  id: string;
  /** Milliseconds since 1970, as every time here. */
  registered_at: number;
  /** Hexadecimal, as `mailbox_hash`. */
  email_hash: string;
  mailbox_hash: string;
  /** The key of the ring for encryption and hashes. */
  key_id: string;
  /** Base64. */
  encrypted: string;
}

/** A known address costs a write too, so that an answer's time does not tell whether it was known. */
const TOUCH = 'UPDATE registrations SET email_hash = email_hash WHERE email_hash = $1 RETURNING id';
const INSERT = `INSERT INTO registrations
  (id, registered_at, email_hash, mailbox_hash, key_id, encrypted, mail_due_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (email_hash) DO UPDATE SET email_hash = excluded.email_hash RETURNING id`;
const COUNT_OF_MAILBOX =
  'SELECT COUNT(*) AS n FROM registrations WHERE mailbox_hash = $1 AND mail_due_at >= $2';
const QUEUE_MAIL = 'INSERT INTO mail_outbox (id, due_at, attempts) VALUES ($1, $2, 0)';

/**
 * Stores a registration with its mail, if its address is new.
 *
 * @param otherHashes of the same address, under the ring's other keys
 * @param earliest when its mail may be sent, unless its mailbox gets too many
 */
export const storeRegistration = defineWork(
  import.meta.url,
  'storeRegistration',
  async ({ run }, row: RegistrationRow, otherHashes: string[], earliest: number): Promise<void> => {
    for (const hash of otherHashes) if ((await run(TOUCH, [hash])).length > 0) return;
    const today = earliest - (earliest % DAY_MS);
    const [mails] = await run(COUNT_OF_MAILBOX, [row.mailbox_hash, today]);
    // The days from today on are full, but for the last one.
    const days = Math.floor(Number(mails?.n) / MAILS_PER_MAILBOX_AND_DAY);
    const due = days === 0 ? earliest : today + days * DAY_MS;
    const { id, registered_at, email_hash, mailbox_hash, key_id, encrypted } = row;
    const values = [id, registered_at, email_hash, mailbox_hash, key_id, encrypted, due];
    const [kept] = await run(INSERT, values);
    if (kept?.id === id) await run(QUEUE_MAIL, [id, due]);
  },
);

/** A mail's state: its row of `mail_outbox`, or null in both if it was sent. */
export type ListedRow = RegistrationRow & { attempts: number | null; refused: string | null };

const LIST = `SELECT registrations.*, attempts, refused FROM registrations
  LEFT JOIN mail_outbox ON mail_outbox.id = registrations.id
  WHERE registrations.id > $1 ORDER BY registrations.id LIMIT $2`;
const PAGE = 500;
/** Smaller than every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Yields every row, the oldest first. */
export async function* eachRow(db: Database): AsyncGenerator<ListedRow> {
  let after = FIRST_ID;
  for (;;) {
    const page = (await db.read(LIST, [after, PAGE])) as never as ListedRow[];
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** @returns the ids of the keys with which rows are encrypted */
export const keysInUse = async (db: Database): Promise<string[]> =>
  (await db.read('SELECT DISTINCT key_id FROM registrations')).map(({ key_id }) => String(key_id));

const DELETE = 'DELETE FROM registrations WHERE email_hash = $1 RETURNING id';
const DELETE_OLD = `DELETE FROM registrations WHERE id IN (
  SELECT id FROM registrations WHERE registered_at < $1 ORDER BY registered_at LIMIT $2) RETURNING id`;

/** Deletes a person's registration and its mail. @param hashes of the address, under each key @returns whether there was one */
export const deleteRegistration = defineWork(
  import.meta.url,
  'deleteRegistration',
  async ({ run }, hashes: string[]): Promise<boolean> => {
    let isDeleted = false;
    for (const hash of hashes) isDeleted = (await run(DELETE, [hash])).length > 0 || isDeleted;
    return isDeleted;
  },
);

/** @param before milliseconds since 1970 @returns the number of deleted rows, at most `limit` */
export const deleteOldRegistrations = defineWork(
  import.meta.url,
  'deleteOldRegistrations',
  async ({ run }, before: number, limit: number): Promise<number> =>
    (await run(DELETE_OLD, [before, limit])).length,
);

const TWIN = 'SELECT id FROM registrations WHERE email_hash = $1 AND id <> $2';
const DELETE_ONE = 'DELETE FROM registrations WHERE id = $1';
const REPLACE = `UPDATE registrations SET email_hash = $2, mailbox_hash = $3, key_id = $4, encrypted = $5
  WHERE id = $1`;

/** Replaces rows by those with another key. Two servers with different keys may have made two of one address: the older one stays. */
export const replaceRegistrations = defineWork(
  import.meta.url,
  'replaceRegistrations',
  async ({ run }, rows: RegistrationRow[]): Promise<void> => {
    for (const { id, email_hash, mailbox_hash, key_id, encrypted } of rows) {
      const [twin] = await run(TWIN, [email_hash, id]);
      if (twin) await run(DELETE_ONE, [String(twin.id) > id ? String(twin.id) : id]);
      // Nothing, if it was the younger one.
      await run(REPLACE, [id, email_hash, mailbox_hash, key_id, encrypted]);
    }
  },
);
