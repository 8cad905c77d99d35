/**
 * Encrypts and decrypts what a person typed, as a JWE (RFC 7516). The protected header of the JWE
 * repeats the other columns of its row (additional authenticated data). So a text that was copied
 * into another row, or whose row was changed, is rejected. Without the key a row reveals only the
 * time of registration.
 */
import { CompactEncrypt, type CompactJWEHeaderParameters, compactDecrypt } from 'jose';
import type { Language } from '#contract/language.ts';
import type { Registration } from '#contract/register.schema.ts';
import { hashEmail, hashMailbox } from './hash-email.ts';
import type { KeyRing } from './key-ring.ts';
import type { RegistrationRow } from './store-registrations.ts';

/** The encrypted fields of a registration. agreedToTerms is missing because it is always true. */
export interface Person extends Pick<Registration, 'firstName' | 'lastName' | 'email'> {
  smaType: string | null;
  /** Language of the form's page, in which the mail is written. Absent: English. */
  language?: Language;
}

/**
 * Plaintexts are padded to a multiple of this number of bytes, which hides the length of a name.
 */
const PADDED_TO_BYTES = 256;
/**
 * Accepted algorithms: direct encryption with the key (`dir`) by AES-256-GCM. Decryption rejects a
 * JWE that names another one.
 */
const ACCEPTED_ALGORITHMS = {
  keyManagementAlgorithms: ['dir'],
  contentEncryptionAlgorithms: ['A256GCM'],
};

/** Columns that the protected header repeats. `key_id` is its standard field `kid`. */
const PROTECTED_COLUMNS = ['id', 'registered_at', 'email_hash', 'mailbox_hash', 'key_id'] as const;

/** Encrypts a person with the ring's current key. @param registeredAt milliseconds since 1970 */
export async function makeRow(
  [current]: KeyRing,
  id: string,
  registeredAt: number,
  person: Person,
): Promise<RegistrationRow> {
  const protectedColumns = {
    id,
    registered_at: registeredAt,
    email_hash: hashEmail(current, person.email),
    mailbox_hash: hashMailbox(current, person.email),
  };
  const text = JSON.stringify(person);
  const padding = ' '.repeat(-Buffer.byteLength(text) & (PADDED_TO_BYTES - 1));
  const encrypted = await new CompactEncrypt(Buffer.from(text + padding))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: current.id, ...protectedColumns })
    .encrypt(current.encryptionKey);
  return { ...protectedColumns, key_id: current.id, encrypted };
}

/**
 * Decrypts a row. Call it before a transaction, not inside: the transaction would wait for it.
 *
 * @throws (rejects with) an Error that names the row and the key, and nothing of the content, when
 * the ring lacks the key, or the row is not as it was stored
 */
export async function openRow(ring: KeyRing, row: RegistrationRow): Promise<Person> {
  const { id, key_id, encrypted } = row;
  const key = ring.find((candidate) => candidate.id === key_id);
  if (!key)
    throw new Error(
      `Registration ${id} is encrypted with the key "${key_id}", which is not given.`,
    );
  const { plaintext, protectedHeader } = await compactDecrypt(
    encrypted,
    key.encryptionKey,
    ACCEPTED_ALGORITHMS,
  ).catch(() => {
    // The error has no `cause`, because the library's error might quote personal data.
    throw new Error(
      `Registration ${id} cannot be opened with the key "${key_id}". Its row was changed, or the key has another secret. Restore it from a backup.`,
    );
  });
  rejectChangedRow(row, protectedHeader);
  return JSON.parse(Buffer.from(plaintext).toString());
}

/**
 * Compares a row with its protected header. @throws an Error that names each column that differs
 */
function rejectChangedRow(row: RegistrationRow, header: CompactJWEHeaderParameters): void {
  const stored: Record<string, unknown> = { ...header, key_id: header.kid };
  const changed = PROTECTED_COLUMNS.filter((name) => row[name] !== stored[name]);
  if (changed.length === 0) return;
  throw new Error(
    `Registration ${row.id} is not as it was stored: ${changed.join(', ')} differ. Restore it from a backup.`,
  );
}
