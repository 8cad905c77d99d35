/**
 * Keyed hashes of e-mail addresses, by which the server finds a registration without decrypting.
 */
import { createHmac } from 'node:crypto';
import { toAsciiAddress } from '#contract/email-address.ts';
import type { RegistrationKey } from './key-ring.ts';

/** Keyed hash of an address, 64 hexadecimal digits. Two spellings of one address have the same. */
export const hashEmail = (key: RegistrationKey, email: string): string =>
  createHmac('sha256', key.hashKey).update(normalizeEmail(email)).digest('hex');

/** Keyed hash of the mailbox: the address without its tag after a `+` and without its dots. */
export function hashMailbox(key: RegistrationKey, email: string): string {
  const address = normalizeEmail(email);
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).split('+');
  return hashEmail(key, `mailbox ${name.replaceAll('.', '')}${address.slice(at)}`);
}

/** An operator may ask for a text that is no address: it is in no row. */
function normalizeEmail(email: string): string {
  const typed = email.trim().normalize('NFKC');
  return (toAsciiAddress(typed) ?? typed).toLowerCase();
}
