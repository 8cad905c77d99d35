/**
 * Encrypts what a person typed, as a JWE (RFC 7516). Its protected header repeats the row's other
 * columns, so that the text opens only with its key, in its own row, as that row was stored.
 * Without the key a row reveals only the time of registration.
 */
import { CompactEncrypt, type CompactJWEHeaderParameters, compactDecrypt } from 'jose';
import type { Language } from '#contract/language.ts';
import type { Registration } from '#contract/register.schema.ts';
import { hashEmail, hashMailbox } from './hash-email.ts';
import type { KeyRing } from './key-ring.ts';
import type { RegistrationRow } from './store-registrations.ts';

/** The stored fields of a registration. agreedToTerms is missing because it is always true. */
export interface Person extends Pick<Registration, 'firstName' | 'lastName' | 'email'> {
  smaType: string | null;
  /** The language of the form's page, for the mail. Absent: English. */
  language?: Language;
}

/** Plaintexts are padded to a multiple of this, so that the length of a name is hidden. Bytes. */
const PADDED_TO_BYTES = 256;
/** The key encrypts the text itself, by AES-256-GCM. A row with another algorithm does not open. */
const ALGORITHMS = {
  keyManagementAlgorithms: ['dir'],
  contentEncryptionAlgorithms: ['A256GCM'],
};

/** The columns that the header repeats: `kid` is `key_id`, the others have their own names. */
const BOUND = ['id', 'registered_at', 'email_hash', 'mailbox_hash', 'key_id'] as const;

/** Makes a row with the ring's current key. @param registeredAt milliseconds since 1970 */
export async function makeRow(
  [current]: KeyRing,
  id: string,
  registeredAt: number,
  person: Person,
): Promise<RegistrationRow> {
  const bound = {
    id,
    registered_at: registeredAt,
    email_hash: hashEmail(current, person.email),
    mailbox_hash: hashMailbox(current, person.email),
  };
  const text = JSON.stringify(person);
  const padding = ' '.repeat(-Buffer.byteLength(text) & (PADDED_TO_BYTES - 1));
  const encrypted = await new CompactEncrypt(Buffer.from(text + padding))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: current.id, ...bound })
    .encrypt(current.encryptionKey);
  return { ...bound, key_id: current.id, encrypted };
}

/**
 * Decrypts a row. Call it before a transaction, because it is asynchronous.
 *
 * @throws (rejects with) an Error that names the row and the key, and nothing of the content, when
 * the ring lacks the key, or the row is not as it was stored
 */
export async function openRow(ring: KeyRing, row: RegistrationRow): Promise<Person> {
  const { id, key_id, encrypted } = row;
  const key = ring.find((one) => one.id === key_id);
  if (!key)
    throw new Error(
      `Registration ${id} is encrypted with the key "${key_id}", which is not given.`,
    );
  const { plaintext, protectedHeader } = await compactDecrypt(
    encrypted,
    key.encryptionKey,
    ALGORITHMS,
  ).catch(() => {
    // Without the cause, which might quote the data.
    throw new Error(
      `Registration ${id} cannot be opened with the key "${key_id}". Its row was changed, or the key has another secret. Restore it from a backup.`,
    );
  });
  refuseChanged(row, protectedHeader);
  return JSON.parse(Buffer.from(plaintext).toString());
}

/** @throws an Error that names each column that is another one than in the header */
function refuseChanged(row: RegistrationRow, header: CompactJWEHeaderParameters): void {
  const stored: Record<string, unknown> = { ...header, key_id: header.kid };
  const changed = BOUND.filter((name) => row[name] !== stored[name]);
  if (changed.length === 0) return;
  throw new Error(
    `Registration ${row.id} is not as it was stored: ${changed.join(', ')} differ. Restore it from a backup.`,
  );
}
