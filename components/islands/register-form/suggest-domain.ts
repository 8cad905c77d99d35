/** Suggests a mail domain for an address whose domain is probably mistyped. */
import { isOneTypoApart } from '#contract/is-one-typo-apart.ts';

/**
 * Frequent mail domains of families in the United States, and of Spanish speakers. Short ones, such
 * as aol.com, are left out, because too many other domains differ from them by one letter.
 */
const FREQUENT = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
  'bellsouth.net',
  'protonmail.com',
  'hotmail.es',
  'outlook.es',
  'yahoo.es',
];
/** Real mail domains that differ from a frequent one by one letter. They are not questioned. */
const REAL_NEIGHBOURS = [
  'mail.com',
  'email.com',
  'ymail.com',
  'hotmail.se',
  'outlook.se',
  'yahoo.se',
];

/**
 * Returns the frequent domain that differs from the address's domain by one typing error; null if
 * there is none.
 *
 * @param isTyping whether more letters may follow. If so, the beginning of a frequent domain, such
 * as `gmail.co`, counts as correct
 */
export function suggestDomain(address: string, isTyping: boolean): string | null {
  const domain = domainOf(address).toLowerCase();
  if ([...FREQUENT, ...REAL_NEIGHBOURS].includes(domain)) return null;
  if (isTyping && FREQUENT.some((each) => each.startsWith(domain))) return null;
  return FREQUENT.find((each) => isOneTypoApart(each, domain)) ?? null;
}

/** Returns the part of an address after the last `@`; empty without one. */
export const domainOf = (address: string): string =>
  address.includes('@') ? address.slice(address.lastIndexOf('@') + 1).trim() : '';
