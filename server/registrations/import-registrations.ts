/** Stores the registrations of the version before, for `site import`, with the mails that it had not sent. */
import { DatabaseSync } from 'node:sqlite';
import { type Database, defineWork } from '../database/database.ts';
import type { Settings } from '../settings.ts';
import { decrypt, hashEmail, makeRow } from './encryption.ts';
import { type KeyRing, ringFor } from './key-ring.ts';

/** A row of the version before. `mail` is null if its mail was sent, `next_at` if it was refused. */
interface FormerRow {
  id: string;
  created_at: string | Date;
  key_id: string;
  sealed: Uint8Array;
  mail: string | null;
  attempts: number;
  next_at: string | Date | null;
  refusal: string | null;
}

const selectFrom = (schema: 'main' | 'public') =>
  `SELECT registrations.*, mails.id AS mail, attempts, next_at, refusal FROM ${schema}.registrations
   LEFT JOIN ${schema}.mails ON mails.id = registrations.id ORDER BY registrations.id`;

/** @param file registrations.sqlite @throws SQLite's error */
export function readFormerFile(file: string): FormerRow[] {
  using former = new DatabaseSync(file, { readOnly: true });
  return former.prepare(selectFrom('main')).all() as never;
}

/** @returns true also if it cannot be read */
export function hasRegistrations(file: string): boolean {
  try {
    return readFormerFile(file).length > 0;
  } catch {
    return true;
  }
}

/** Reads PostgreSQL's schema `public`, which the version before used. @throws (rejects with) a DatabaseFault */
export const readFormerSchema = async (db: Database): Promise<FormerRow[]> =>
  (await db.read(selectFrom('public'))) as never;

/** Rows of one transaction, so that clicks need not wait for long. */
const SLICE = 100;

/**
 * Encrypts them with the current key, as `registrations rotate-key` does.
 *
 * @returns the number of those that were not in the table
 * @throws (rejects with) an Error that says what to do, if a key is missing
 */
export async function importRegistrations(
  former: readonly FormerRow[],
  settings: Settings,
  db: Database,
): Promise<number> {
  const ring = ringFor(settings, [...new Set(former.map(({ key_id }) => key_id))]);
  let stored = 0;
  for (let n = 0; n < former.length; n += SLICE) {
    const slice = former.slice(n, n + SLICE).map((row) => convert(ring, row));
    stored += await db.transaction(storeFormer, slice);
  }
  return stored;
}

function convert(ring: KeyRing, former: FormerRow) {
  const { id, key_id, created_at, sealed, mail, attempts, next_at, refusal } = former;
  const person = decrypt(ring, { id, key_id, encrypted: Buffer.from(sealed).toString('base64') });
  const registered_at = new Date(created_at).getTime();
  const due_at = new Date(next_at ?? created_at).getTime();
  return {
    row: { ...makeRow(ring, id, registered_at, person), mail_due_at: due_at },
    /** Of the address, under each key. */
    hashes: ring.map((key) => hashEmail(key, person.email)),
    mails: mail === null ? [] : [{ id, due_at, attempts, refused: refusal }],
  };
}

const KNOWN = 'SELECT 1 FROM registrations WHERE email_hash = $1';

/** @returns the number of those that were not in the table */
export const storeFormer = defineWork(
  import.meta.url,
  'storeFormer',
  async ({ run, insertNew }, slice: ReturnType<typeof convert>[]): Promise<number> => {
    const unknown: typeof slice = [];
    for (const one of slice) {
      const found = await Promise.all(one.hashes.map((hash) => run(KNOWN, [hash])));
      if (found.flat().length === 0) unknown.push(one);
    }
    const rows = unknown.map(({ row }) => row);
    const stored = await insertNew('registrations', 'id', rows);
    const mails = stored.flatMap((place) => unknown[place]?.mails ?? []);
    await insertNew('mail_outbox', 'id', mails);
    return stored.length;
  },
);
