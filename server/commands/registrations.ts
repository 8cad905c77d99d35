/** `site registrations`: list, export, delete, rotate-key. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Database } from '../database/database.ts';
import { lockFolder } from '../lock-folder.ts';
import { decrypt, hashEmail, makeRow, type Person } from '../registrations/encryption.ts';
import { addKeyToFile, type KeyRing, keepCurrentKey, openRing } from '../registrations/key-ring.ts';
import {
  deleteRegistration,
  eachRow,
  type ListedRow,
  type RegistrationRow,
  replaceRegistrations,
} from '../registrations/store-registrations.ts';
import type { Settings } from '../settings.ts';
import { csvCell } from '../text/csv-cell.ts';
import { printable } from '../text/printable.ts';
import { givenPath } from './given-path.ts';
import { withDatabase } from './with-database.ts';

type Print = (text: string) => void;

/** Prints masked entries. An operator can recognise a known person, but cannot identify an unknown one. */
export async function list(print: Print): Promise<void> {
  await withRing(async (db, ring) => {
    let count = 0;
    for await (const row of eachRow(db)) {
      const { firstName, lastName, email } = decrypt(ring, row);
      const name = `${initial(firstName)} ${initial(lastName)}`;
      const cells = [timeOf(row), name, maskEmail(email), describeMail(row)];
      print(`${printable(cells.join('  '))}\n`);
      count += 1;
    }
    print(`Registrations: ${count}\n`);
  });
}

/** The first visible letter. A visitor typed the text, so control characters are left out. */
const initial = (text: string) => `${text.replace(/[\p{C}\p{Z}]/gu, '').slice(0, 1)}.`;

/** ana@example.org -> a***@e***.org */
function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}***${domain.slice(domain.lastIndexOf('.'))}`;
}

function describeMail({ attempts, refused }: ListedRow): string {
  if (attempts === null) return 'mail sent';
  return refused === null ? `mail waits (attempts: ${attempts})` : `mail refused (${refused})`;
}

const timeOf = ({ registered_at }: RegistrationRow) => new Date(registered_at).toISOString();

const COLUMNS = 'id,registeredAt,firstName,lastName,email,smaType,language';
type Format = 'csv' | 'json';

/** Writes all registrations, readable, to a new file that only this user can read. */
export async function exportTo(to: string, format: Format, print: Print): Promise<void> {
  const path = givenPath(to);
  await withRing(async (db, ring) => {
    const file = await open(path, 'wx', 0o600).catch(({ code, message }) => {
      throw new Error(code === 'EEXIST' ? `${path} exists already: name another file.` : message);
    });
    try {
      const count = await writeAll(file, format, db, ring);
      await file.sync();
      print(
        `Registrations in ${path}: ${count}. Only you can read it. Delete it when you no longer need it.\n`,
      );
    } catch (cause) {
      await rm(path, { force: true });
      throw cause;
    } finally {
      await file.close();
    }
  });
}

async function writeAll(file: FileHandle, format: Format, db: Database, ring: KeyRing) {
  let count = 0;
  await file.write(format === 'csv' ? `${COLUMNS}\r\n` : '[');
  for await (const row of eachRow(db)) {
    const entry = entryOf(row, decrypt(ring, row));
    const line = `${Object.values(entry).map(csvCell).join()}\r\n`;
    await file.write(
      format === 'csv' ? line : `${count === 0 ? '\n' : ',\n'}${JSON.stringify(entry)}`,
    );
    count += 1;
  }
  if (format === 'json') await file.write('\n]\n');
  return count;
}

/** In the order of COLUMNS. */
function entryOf(row: RegistrationRow, person: Person) {
  const { firstName, lastName, email, smaType, language = 'en' } = person;
  return {
    id: row.id,
    registeredAt: timeOf(row),
    ...{ firstName, lastName, email, smaType, language },
  };
}

/** Deletes one person's registration, for any spelling of the address. */
export async function deleteOne(email: string, print: Print): Promise<void> {
  if (!(await withDatabase((db, settings) => deleteByEmail(db, settings, email))))
    throw new Error('There is no registration with this address.');
  print('The registration is deleted. Backups and exports may still contain it.\n');
}

/** @returns whether there was a registration with this address */
export async function deleteByEmail(db: Database, settings: Settings, email: string) {
  const ring = await openRing(settings, db);
  const hashes = ring.map((key) => hashEmail(key, email));
  const isDeleted = await db.transaction(deleteRegistration, hashes);
  if (isDeleted) await db.overwriteDeleted(['registrations', 'mail_outbox']);
  return isDeleted;
}

/** Rows of one transaction. */
const SLICE = 200;

/**
 * Encrypts and hashes every row with the current key alone. If the server made its keys itself, that is a new one. After an
 * interruption at any moment every row can still be decrypted, and the command can run again.
 */
export async function rotateKey(print: Print): Promise<void> {
  await withRing(async (db, given, settings) => {
    const isOwn = settings.registrationKeys === null;
    // A server with its own key file knows only the keys from its start.
    const unlock = isOwn ? lockFolder(settings.files.lock) : () => {};
    try {
      const file = settings.files.registrationKeys;
      const ring = isOwn ? addKeyToFile(file) : given;
      const count = await encryptAll(db, ring);
      // Only now, because no row is encrypted with the old keys any more.
      if (isOwn) keepCurrentKey(file);
      await db.overwriteDeleted(['registrations']);
      print(
        `Registrations encrypted again: ${count}. All are encrypted with the key "${ring[0].id}".\n`,
      );
      if (!isOwn && ring.length > 1) print('You need the other keys only for backups.\n');
    } finally {
      unlock();
    }
  });
}

async function encryptAll(db: Database, ring: KeyRing): Promise<number> {
  let slice: RegistrationRow[] = [];
  let count = 0;
  const store = async () => {
    await db.transaction(replaceRegistrations, slice);
    count += slice.length;
    slice = [];
  };
  for await (const row of eachRow(db)) {
    if (row.key_id === ring[0].id) continue;
    slice.push(makeRow(ring, row.id, row.registered_at, decrypt(ring, row)));
    if (slice.length === SLICE) await store();
  }
  await store();
  return count;
}

const withRing = <T>(work: (db: Database, ring: KeyRing, settings: Settings) => Promise<T>) =>
  withDatabase(async (db, settings) => work(db, await openRing(settings, db), settings));
