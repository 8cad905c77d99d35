/**
 * The keys of the registrations, and their encryption with AES-256-GCM, bound to its row and its key. Without the key a row reveals
 * only the time of registration.
 *
 * Each secret yields two keys: one for encryption, one for hashes of e-mail addresses. New registrations use the first secret of
 * the ring; the others are for existing rows.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Language } from '#contract/language.ts';
import type { Registration } from '#contract/register.schema.ts';
import type { Database, Row } from '../database/database.ts';
import type { Settings } from '../settings.ts';
import { dayOf } from '../time.ts';
import { KEYS_IN_USE, type RegistrationRow } from './store-registrations.ts';

type RegistrationKey = ReturnType<typeof makeKey>;

/** The current key first. */
export type KeyRing = readonly [RegistrationKey, ...RegistrationKey[]];

const SECRET_BYTES = 32;
const ENTRY = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/;
const KEYS_FORMAT = `must be a list of id:secret, the current one first, where a secret is ${SECRET_BYTES} bytes in base64 (openssl rand -base64 ${SECRET_BYTES}) and every id is another`;

/** @param text entries separated by commas or white space @returns null if the text is not a key ring */
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
  /** null: the server's own file has them. */
  given: KeyRing | null;
  ownFile: string;
}

/** @throws an Error that does not repeat the text of REGISTRATION_KEYS, because it is secret */
export function findKeys({ REGISTRATION_KEYS: text, files }: Settings): KeySource {
  const given = text === undefined ? null : parseKeyRing(text);
  if (text !== undefined && given === null) throw new Error(`REGISTRATION_KEYS ${KEYS_FORMAT}.`);
  return { given, ownFile: files.registrationKeys };
}

/** Returns the given keys, or those of the server's own file. @throws when registrations are encrypted with a missing key */
export async function openRing(source: KeySource, db: Database): Promise<KeyRing> {
  const rows = await db.read(KEYS_IN_USE).catch((cause) => {
    // No check while PostgreSQL is away. A missing key is then found when a mail is sent.
    if (db.kind === 'postgres') return [];
    throw cause;
  });
  return ringFor(source, rows);
}

/** @param rows of KEYS_IN_USE @throws when one of these keys is missing */
export function ringFor({ given, ownFile }: KeySource, rows: Row[]): KeyRing {
  const inUse = rows.map(({ key_id }) => String(key_id));
  const ring = given ?? openOwnKeyFile(ownFile, inUse.length > 0);
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
    const id = `k${dayOf(Date.now())}-${randomBytes(3).toString('hex')}`;
    const secret = randomBytes(SECRET_BYTES).toString('base64');
    // Fails if another process has just made it.
    writeFileSync(file, `${id}:${secret}\n`, { mode: 0o600, flush: true, flag: 'wx' });
  }
  const ring = parseKeyRing(readFileSync(file, 'utf8'));
  if (!ring) throw new Error(`${file} ${KEYS_FORMAT}.`);
  return ring;
}

function makeKey(id: string, secret: Buffer) {
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `registrations/${use}/1`, SECRET_BYTES));
  return { id, encryptionKey: derive('seal'), hashKey: derive('lookup') };
}

/** The stored fields of a registration. agreedToTerms is missing because it is always true. */
export interface Person extends Pick<Registration, 'firstName' | 'lastName' | 'email'> {
  smaType: string | null;
  /** The language of the form's page, for the mail. Absent: English. */
  language?: Language;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Plaintexts are padded to a multiple of this, so that the length of a name is hidden. Bytes. */
const PADDED_TO_BYTES = 256;

/** Makes a row with the ring's current key. @param registeredAt milliseconds since 1970 */
export function makeRow(
  [current]: KeyRing,
  id: string,
  registeredAt: number,
  person: Person,
): RegistrationRow {
  return {
    id,
    registered_at: registeredAt,
    email_hash: hashEmail(current, person.email),
    mailbox_hash: hashMailbox(current, person.email),
    key_id: current.id,
    encrypted: encrypt(current, id, person),
  };
}

/** @returns nonce, ciphertext and tag, in base64 */
function encrypt(key: RegistrationKey, id: string, person: Person): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.encryptionKey, nonce).setAAD(boundTo(id, key.id));
  const text = JSON.stringify(person);
  const padding = ' '.repeat(-Buffer.byteLength(text) & (PADDED_TO_BYTES - 1));
  const encrypted = [cipher.update(text + padding), cipher.final()];
  return Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]).toString('base64');
}

/** @throws an Error that names the row and the key, when the ring lacks the key or the row was changed */
export function decrypt(ring: KeyRing, { id, key_id, encrypted }: RegistrationRow): Person {
  const key = ring.find((one) => one.id === key_id);
  if (!key)
    throw new Error(
      `Registration ${id} is encrypted with the key "${key_id}", which is not given.`,
    );
  try {
    const bytes = Buffer.from(encrypted, 'base64');
    const decipher = createDecipheriv(CIPHER, key.encryptionKey, bytes.subarray(0, NONCE_BYTES))
      .setAAD(boundTo(id, key_id))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return JSON.parse(Buffer.concat([text, decipher.final()]).toString());
  } catch {
    // Without the cause, which might quote the data.
    throw new Error(`Registration ${id} cannot be opened with the key "${key_id}".`);
  }
}

/** Keyed hash of an e-mail address, 64 hexadecimal digits. Two spellings of one address have the same. */
export const hashEmail = (key: RegistrationKey, email: string): string =>
  createHmac('sha256', key.hashKey).update(normalizeEmail(email)).digest('hex');

/** The same of its mailbox: mail servers drop the tag after a `+`, and some the dots. */
function hashMailbox(key: RegistrationKey, email: string): string {
  const address = normalizeEmail(email);
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).split('+');
  return hashEmail(key, `mailbox ${name.replaceAll('.', '')}${address.slice(at)}`);
}

const normalizeEmail = (email: string) => email.trim().normalize('NFKC').toLowerCase();

const boundTo = (id: string, keyId: string) => Buffer.from(`registration ${id} ${keyId}`);
