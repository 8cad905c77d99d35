/**
 * The keys of the registrations. Each secret yields two keys: one for encryption, one for hashes of e-mail addresses. New
 * registrations use the first secret of the ring; the others are for existing rows.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface RegistrationKey {
  id: string;
  /** The key for AES-256-GCM. */
  encryptionKey: Buffer;
  /** The key for HMAC-SHA-256. */
  hashKey: Buffer;
}

/** The current key first. */
export type KeyRing = readonly [RegistrationKey, ...RegistrationKey[]];

const SECRET_BYTES = 32;
const ENTRY = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/;
export const KEYS_FORMAT = `must be a list of id:secret, the current one first, where a secret is ${SECRET_BYTES} bytes in base64 (openssl rand -base64 ${SECRET_BYTES}) and every id is another`;

/** @param text entries separated by commas or white space @returns null if the text is not a key ring */
export function parseKeyRing(text: string): KeyRing | null {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  const keys: RegistrationKey[] = [];
  for (const entry of entries) {
    const [, id, secret] = ENTRY.exec(entry) ?? [];
    if (id === undefined || secret === undefined || keys.some((key) => key.id === id)) return null;
    keys.push(makeKey(id, Buffer.from(secret, 'base64')));
  }
  const [current, ...older] = keys;
  return current ? [current, ...older] : null;
}

/**
 * @param file entries separated by lines or commas
 * @throws an Error that names the fault, without the content of the file
 */
export function readKeyFile(file: string): KeyRing {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw new Error(`The keys of the registrations cannot be read: ${file} (${code}).`, { cause });
  }
  const ring = parseKeyRing(text);
  if (!ring) throw new Error(`${file} ${KEYS_FORMAT}.`);
  return ring;
}

/**
 * Opens or makes the server's own key file, which only its user can read. For a server without given keys.
 *
 * @param isNeeded whether there are registrations, which a new key could not decrypt
 * @throws an Error that says what to do, when the file is missing but needed
 */
export function openOwnKeyFile(file: string, isNeeded: () => boolean): KeyRing {
  if (!existsSync(file)) {
    if (isNeeded()) {
      throw new Error(
        `There are registrations, but not the keys that decrypt them: restore ${file}, or move registrations.sqlite away.`,
      );
    }
    writeKeyFile(file, [newEntry()]);
  }
  return readKeyFile(file);
}

/** Adds a new secret as the first in the file. @returns the new ring */
export function addKeyToFile(file: string): KeyRing {
  writeKeyFile(file, [newEntry(), ...readEntries(file)]);
  return readKeyFile(file);
}

/** Removes every secret but the current one from the file. */
export function keepCurrentKey(file: string): void {
  writeKeyFile(file, readEntries(file).slice(0, 1));
}

const readEntries = (file: string) =>
  readFileSync(file, 'utf8')
    .split(/[\s,]+/)
    .filter(Boolean);

function newEntry(): string {
  const id = `k${new Date().toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`;
  return `${id}:${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Writes the file completely or not at all, and syncs it. */
function writeKeyFile(file: string, entries: string[]): void {
  const fresh = `${file}.new`;
  const fd = openSync(fresh, 'w', 0o600);
  writeSync(fd, `${entries.join('\n')}\n`);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(fresh, file);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

function makeKey(id: string, secret: Buffer): RegistrationKey {
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `registrations/${use}/1`, SECRET_BYTES));
  return { id, encryptionKey: derive('seal'), hashKey: derive('lookup') };
}
