/**
 * The keys of the registrations. Each secret yields two keys: one for encryption, one for hashes of e-mail addresses. New
 * registrations use the first secret of the ring; the others are for existing rows.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings.ts';
import { keysInUse } from './store-registrations.ts';

export type RegistrationKey = ReturnType<typeof makeKey>;

/** The current key first. */
export type KeyRing = readonly [RegistrationKey, ...RegistrationKey[]];

const SECRET_BYTES = 32;
const ENTRY = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/;
export const KEYS_FORMAT = `must be a list of id:secret, the current one first, where a secret is ${SECRET_BYTES} bytes in base64 (openssl rand -base64 ${SECRET_BYTES}) and every id is another`;

/** @param text entries separated by commas or white space @returns null if the text is not a key ring */
export function parseKeyRing(text: string): KeyRing | null {
  const keys: RegistrationKey[] = [];
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [, id, secret] = ENTRY.exec(entry) ?? [];
    if (id === undefined || secret === undefined || keys.some((key) => key.id === id)) return null;
    keys.push(makeKey(id, Buffer.from(secret, 'base64')));
  }
  const [current, ...older] = keys;
  return current ? [current, ...older] : null;
}

/** Returns the given keys, or those of the server's own file. @throws when registrations are encrypted with a missing key */
export async function openRing(settings: Settings, db: Database): Promise<KeyRing> {
  const { registrationKeys, files } = settings;
  const inUse = await keysInUse(db).catch((cause) => {
    // No check while PostgreSQL is away. A missing key is then found when a mail is sent.
    if (db.kind === 'postgres') return [];
    throw cause;
  });
  const ring = registrationKeys ?? openOwnKeyFile(files.registrationKeys, inUse.length > 0);
  const missing = inUse.filter((id) => !ring.some((key) => key.id === id));
  if (missing.length === 0) return ring;
  throw new Error(
    `Registrations are encrypted with the key "${missing.join('", "')}", which is not among those given. Give it after the current one.`,
  );
}

/**
 * Opens or makes the server's own key file, which only its user can read.
 *
 * @param isNeeded whether there are registrations, which a new key could not decrypt
 */
function openOwnKeyFile(file: string, isNeeded: boolean): KeyRing {
  if (!existsSync(file)) {
    if (isNeeded)
      throw new Error(
        `There are registrations, but not the keys that decrypt them: restore ${file}, or set REGISTRATION_KEYS.`,
      );
    // Fails if another process has just made it.
    writeFileSync(file, `${newEntry()}\n`, { mode: 0o600, flush: true, flag: 'wx' });
  }
  const ring = parseKeyRing(readFileSync(file, 'utf8'));
  if (!ring) throw new Error(`${file} ${KEYS_FORMAT}.`);
  return ring;
}

function newEntry(): string {
  const id = `k${new Date().toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`;
  return `${id}:${randomBytes(SECRET_BYTES).toString('base64')}`;
}

function makeKey(id: string, secret: Buffer) {
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `registrations/${use}/1`, SECRET_BYTES));
  return {
    id,
    /** For AES-256-GCM. */
    encryptionKey: derive('seal'),
    /** For HMAC-SHA-256. */
    hashKey: derive('lookup'),
  };
}
