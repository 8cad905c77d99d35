/**
 * Finds and opens the keys of the registrations. Two keys are derived from each secret: one for
 * encryption, one for hashes of e-mail addresses. New registrations use the first secret of the
 * ring; the other secrets decrypt older rows.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Database, Row } from '../database/database.ts';
import type { Settings } from '../settings.ts';
import { dayOf } from '../time.ts';
import { LIST_KEYS_IN_USE } from './store-registrations.ts';

export type RegistrationKey = ReturnType<typeof makeKey>;

/** All keys, the current one first. */
export type KeyRing = readonly [RegistrationKey, ...RegistrationKey[]];

const SECRET_BYTES = 32;
/** One entry of the list: an id, a colon, and a secret in base64. */
const ENTRY = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/;
const KEYS_FORMAT = `must be a list of id:secret, the current one first, where a secret is ${SECRET_BYTES} bytes in base64 (openssl rand -base64 ${SECRET_BYTES}) and every id is another`;

/**
 * Reads a list of keys.
 *
 * @param text entries separated by commas or white space
 * @returns null if the text is not a key ring
 */
function parseKeyRing(text: string): KeyRing | null {
  const keys: RegistrationKey[] = [];
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [, id, secret] = ENTRY.exec(entry) ?? [];
    if (id === undefined || secret === undefined || keys.some((key) => key.id === id)) return null;
    keys.push(makeKey(id, Buffer.from(secret, 'base64')));
  }
  const [current, ...older] = keys;
  return current ? [current, ...older] : null;
}

/** Where the keys come from. */
export interface KeySource {
  /**
   * The keys of REGISTRATION_KEYS. null: the setting is missing, and the server's own file counts.
   */
  fromSettings: KeyRing | null;
  /** Path of the server's own file. */
  ownFile: string;
}

/**
 * Reads the setting REGISTRATION_KEYS. @throws an Error that does not repeat the text of
 * REGISTRATION_KEYS, because it is secret
 */
export function findKeys({ REGISTRATION_KEYS: text, files }: Settings): KeySource {
  const fromSettings = text === undefined ? null : parseKeyRing(text);
  if (text !== undefined && fromSettings === null)
    throw new Error(`REGISTRATION_KEYS ${KEYS_FORMAT}.`);
  return { fromSettings, ownFile: files.registrationKeys };
}

/**
 * Returns the keys of the settings, or those of the server's own file.
 *
 * @throws (rejects with) an Error when registrations are encrypted with a missing key
 */
export async function openRing(source: KeySource, db: Database): Promise<KeyRing> {
  const rows = await db.read(LIST_KEYS_IN_USE).catch((cause) => {
    // The server also starts while PostgreSQL is away, and checks nothing then. A missing key is
    // found when a mail is sent.
    if (db.kind === 'postgres') return [];
    throw cause;
  });
  return ringFor(source, rows);
}

/**
 * Chooses the ring, and checks it against the keys that rows need.
 *
 * @param rows result of LIST_KEYS_IN_USE
 * @throws an Error when one of these keys is missing
 */
export function ringFor({ fromSettings, ownFile }: KeySource, rows: Row[]): KeyRing {
  const inUse = rows.map(({ key_id }) => String(key_id));
  const ring = fromSettings ?? openOwnKeyFile(ownFile, inUse.length > 0);
  const missing = inUse.filter((id) => !ring.some((key) => key.id === id));
  if (missing.length === 0) return ring;
  throw new Error(
    `Registrations are encrypted with the key "${missing.join('", "')}", which is not among those given. Give it after the current one.`,
  );
}

/**
 * Opens the server's own key file, which only its user can read. Makes it if it is missing.
 *
 * @param isNeeded whether there are registrations, which a new key could not decrypt
 */
function openOwnKeyFile(file: string, isNeeded: boolean): KeyRing {
  if (!existsSync(file)) {
    if (isNeeded)
      throw new Error(
        `There are registrations, but not the keys that decrypt them: restore ${file}, or set REGISTRATION_KEYS.`,
      );
    const id = `k${dayOf(Date.now())}-${randomBytes(3).toString('hex')}`;
    const secret = randomBytes(SECRET_BYTES).toString('base64');
    // The flag `wx` fails if another process has made the file meanwhile, so no key is overwritten.
    writeFileSync(file, `${id}:${secret}\n`, { mode: 0o600, flush: true, flag: 'wx' });
  }
  const ring = parseKeyRing(readFileSync(file, 'utf8'));
  if (!ring) throw new Error(`${file} ${KEYS_FORMAT}.`);
  return ring;
}

/**
 * Derives the two keys of a secret (HKDF with SHA-256). The names of their uses must not change:
 * older rows could not be decrypted.
 */
function makeKey(id: string, secret: Buffer) {
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `registrations/${use}/1`, SECRET_BYTES));
  return { id, encryptionKey: derive('seal'), hashKey: derive('lookup') };
}
