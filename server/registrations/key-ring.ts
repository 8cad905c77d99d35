/**
 * The keys of the registrations. One secret makes two keys, one that encrypts and one that hashes e-mail addresses; the ring's first
 * secret is used for what is new, the others for what is there already.
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
  /** For AES-256-GCM. */
  encryptionKey: Buffer;
  /** For HMAC-SHA-256. */
  hashKey: Buffer;
}

/** The current key first. */
export type KeyRing = readonly [RegistrationKey, ...RegistrationKey[]];

const SECRET_BYTES = 32;
const ENTRY = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/;
export const KEYS_FORMAT = `must be a list of id:secret, the current one first, where a secret is ${SECRET_BYTES} bytes in base64 (openssl rand -base64 ${SECRET_BYTES}) and every id is another`;

/** @param text entries between commas or white space @returns null when it is no key ring */
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
 * @param file one entry per line, or between commas
 * @throws an Error that says what is wrong with the file, and nothing of what stands in it
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
 * The ring of a server that was given none, in a file that only its user can read.
 *
 * @param isNeeded there are registrations, which a new key could not open
 * @throws an Error that says what to do, when the file is gone but was needed
 */
export function openOwnKeyFile(file: string, isNeeded: () => boolean): KeyRing {
  if (!existsSync(file)) {
    if (isNeeded()) {
      throw new Error(
        `There are registrations, but not the keys that open them: bring back ${file}, or move registrations.sqlite away.`,
      );
    }
    writeKeyFile(file, [newEntry()]);
  }
  return readKeyFile(file);
}

/** Puts a new secret in front of those in the file. @returns the ring with it */
export function addKeyToFile(file: string): KeyRing {
  writeKeyFile(file, [newEntry(), ...readEntries(file)]);
  return readKeyFile(file);
}

/** Leaves the current secret alone in the file. */
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

/** Whole or not at all, and on the disk when it returns. */
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
