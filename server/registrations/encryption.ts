/**
 * Encrypts a registration with AES-256-GCM, bound to its row and its key. Without the key a row reveals only the time of
 * registration.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Language } from '#contract/language.ts';
import type { Registration } from '#contract/register.schema.ts';
import type { KeyRing, RegistrationKey } from './key-ring.ts';
import type { RegistrationRow } from './store-registrations.ts';

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
  const text = Buffer.from(JSON.stringify(person));
  const padding = Buffer.alloc(-text.length & (PADDED_TO_BYTES - 1), ' ');
  return Buffer.concat([
    nonce,
    cipher.update(text),
    cipher.update(padding),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64');
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
