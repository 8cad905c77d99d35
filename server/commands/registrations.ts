/**
 * `site registrations`: lists, exports and deletes registrations, and encrypts them with a new key.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { type Database, write } from '../database/database.ts';
import { csvCell, printable } from '../html/safe-text.ts';
import { makeRow, openRow } from '../registrations/envelope.ts';
import { hashEmail } from '../registrations/hash-email.ts';
import { findKeys, type KeyRing, openRing } from '../registrations/key-ring.ts';
import {
  DELETE_REGISTRATION,
  type ListedRow,
  type RegistrationRow,
  readRows,
  replaceRegistrations,
} from '../registrations/store-registrations.ts';
import type { Settings } from '../settings.ts';
import { print, withDatabase } from './common.ts';

/**
 * Prints all registrations with masked names and addresses. An operator can recognise a person whom
 * he knows, but cannot identify others.
 */
export async function list(): Promise<void> {
  await withRing(async (db, ring) => {
    const rows = await readRows(db);
    for (const row of rows) {
      const { firstName, lastName, email } = await openRow(ring, row);
      const name = `${initial(firstName)} ${initial(lastName)}`;
      const cells = [timeOf(row), name, maskEmail(email), describeMail(row)];
      print(printable(cells.join('  ')));
    }
    print(`Registrations: ${rows.length}`);
  });
}

/**
 * Returns the first visible letter and a dot. Control characters that a visitor typed are skipped.
 */
const initial = (text: string) => `${text.replace(/[\p{C}\p{Z}]/gu, '').slice(0, 1)}.`;

/** Masks an address: `ana@example.org` becomes `a***@e***.org`. */
function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}***${domain.slice(domain.lastIndexOf('.'))}`;
}

/** Returns the state of a registration's mail: sent, waiting or refused. */
function describeMail({ attempts, refused }: ListedRow): string {
  if (attempts === null) return 'mail sent';
  return refused === null ? `mail waits (attempts: ${attempts})` : `mail refused (${refused})`;
}

const timeOf = ({ registered_at }: ListedRow) => new Date(registered_at).toISOString();

/** Columns of the exported CSV file. */
const COLUMNS = ['id', 'registeredAt', 'firstName', 'lastName', 'email', 'smaType', 'language'];

/** Writes all registrations, readable, to a new CSV file that only this user can read. */
export async function exportTo(path: string): Promise<void> {
  const lines: (string | null)[][] = [];
  await withRing(async (db, ring) => {
    for (const row of await readRows(db)) {
      const { firstName, lastName, email, smaType, language = 'en' } = await openRow(ring, row);
      lines.push([row.id, timeOf(row), firstName, lastName, email, smaType, language]);
    }
  });
  const csv = [COLUMNS, ...lines].map((cells) => `${cells.map(csvCell).join()}\r\n`).join('');
  try {
    writeFileSync(path, csv, { mode: 0o600, flag: 'wx', flush: true });
  } catch (cause) {
    if ((cause as { code?: string }).code === 'EEXIST')
      throw new Error(`${path} exists already: name another file.`);
    rmSync(path, { force: true });
    throw cause;
  }
  print(
    `Registrations in ${path}: ${lines.length}. Only you can read it. Delete it when you no longer need it.`,
  );
}

/** Deletes one person's registration, for any spelling of the address. */
export async function deleteOne(email: string): Promise<void> {
  if (!(await withDatabase((db, settings) => deleteByEmail(db, settings, email))))
    throw new Error('There is no registration with this address.');
  print('The registration is deleted. Backups and exports may still contain it.');
}

/**
 * Deletes a registration, and overwrites its place in the database's file.
 *
 * @returns whether there was a registration with this address
 */
export async function deleteByEmail(db: Database, settings: Settings, email: string) {
  const ring = await openRing(findKeys(settings), db);
  const deleted = await Promise.all(
    ring.map((key) => write(db, DELETE_REGISTRATION, [hashEmail(key, email)])),
  );
  const isDeleted = deleted.flat().length > 0;
  if (isDeleted) await db.overwriteDeleted(['registrations', 'mail_outbox']);
  return isDeleted;
}

/**
 * Encrypts and hashes every row with the current key, in one transaction: an interrupted command
 * has changed nothing, and can run again.
 */
export async function rotateKey(): Promise<void> {
  await withRing(async (db, ring) => {
    const [{ id }, ...others] = ring;
    const oldRows = (await readRows(db)).filter(({ key_id }) => key_id !== id);
    const newRows: RegistrationRow[] = [];
    for (const row of oldRows)
      newRows.push(await makeRow(ring, row.id, row.registered_at, await openRow(ring, row)));
    await db.transaction(replaceRegistrations, newRows);
    await db.overwriteDeleted(['registrations']);
    print(
      `Registrations encrypted again: ${oldRows.length}. All are encrypted with the key "${id}".`,
    );
    if (others.length > 0) print('You need the other keys only for backups.');
  });
}

/** Calls `work` with the database and the keys of the registrations. */
const withRing = <T>(work: (db: Database, ring: KeyRing) => Promise<T>) =>
  withDatabase(async (db, settings) => work(db, await openRing(findKeys(settings), db)));
