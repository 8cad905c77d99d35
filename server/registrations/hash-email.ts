/**
 * Makes keyed hashes (HMAC-SHA-256) of e-mail addresses, by which the server finds a registration
 * without decrypting any.
 */
import { createHmac } from 'node:crypto';
import { toAsciiAddress } from '#contract/email-address.ts';
import type { RegistrationKey } from './key-ring.ts';

/**
 * Returns the keyed hash of an address: 64 hexadecimal digits. Two spellings of one address (upper
 * case, an internationalized domain) have the same hash.
 */
export const hashEmail = (key: RegistrationKey, email: string): string =>
  createHmac('sha256', key.hashKey).update(normalizeEmail(email)).digest('hex');

/**
 * Returns the keyed hash of a mailbox: of the address without its tag after a `+` and without the
 * dots of its name, because many providers deliver all of them to one mailbox.
 */
export function hashMailbox(key: RegistrationKey, email: string): string {
  const address = normalizeEmail(email);
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).split('+');
  return hashEmail(key, `mailbox ${name.replaceAll('.', '')}${address.slice(at)}`);
}

/**
 * Returns an address in its normal form: lower case, with an ASCII domain. A text that is no
 * address is no error: an operator who types one finds no registration.
 */
function normalizeEmail(email: string): string {
  const typed = email.trim().normalize('NFKC');
  return (toAsciiAddress(typed) ?? typed).toLowerCase();
}
