/**
 * Encrypts a registration with AES-256-GCM, bound to its row and its key. Without the key a row reveals only the time of
 * registration.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Language } from '#contract/language.ts';
import type { Registration } from '#contract/register.schema.ts';
import type { KeyRing, RegistrationKey } from './key-ring.ts';
import type { RegistrationRow } from './store/registration-store.ts';

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

/** @returns nonce, ciphertext, tag */
export function encrypt(key: RegistrationKey, id: string, person: Person): Buffer {
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
  ]);
}

/** @throws an Error that names the row and the key, when the ring lacks the key or the row was changed */
export function decrypt(ring: KeyRing, { id, keyId, encrypted }: RegistrationRow): Person {
  const key = ring.find((one) => one.id === keyId);
  if (!key)
    throw new Error(`Registration ${id} is encrypted with the key "${keyId}", which is not given.`);
  try {
    const decipher = createDecipheriv(CIPHER, key.encryptionKey, encrypted.subarray(0, NONCE_BYTES))
      .setAAD(boundTo(id, keyId))
      .setAuthTag(encrypted.subarray(-TAG_BYTES));
    const text = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES));
    return JSON.parse(Buffer.concat([text, decipher.final()]).toString());
  } catch {
    // Without the cause, which might quote the data.
    throw new Error(`Registration ${id} cannot be opened with the key "${keyId}".`);
  }
}

/** Keyed hash of an e-mail address, 32 bytes. Two spellings of one address have the same hash. */
export function emailHashOf(key: RegistrationKey, email: string): Buffer {
  return createHmac('sha256', key.hashKey).update(normalizeEmail(email)).digest();
}

/** Makes two spellings of one address equal. */
export const normalizeEmail = (email: string) => email.trim().normalize('NFKC').toLowerCase();

const boundTo = (id: string, keyId: string) => Buffer.from(`registration ${id} ${keyId}`);
