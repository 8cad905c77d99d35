/** Finds the mail domain that a visitor may have meant. */
import { isOneTypoApart } from '#contract/is-one-typo-apart.ts';

/**
 * Frequent mail domains of families in the United States, and of Spanish speakers. Short ones, such
 * as aol.com, are missing: too many other domains are one letter away.
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
/** Mail domains that are one letter from a frequent one, and right. */
const RIGHT = ['mail.com', 'email.com', 'ymail.com', 'hotmail.se', 'outlook.se', 'yahoo.se'];

/**
 * Returns the frequent domain that is one typing error away from the address's, or null.
 *
 * @param isTyping leaves out a domain that more letters may still complete, such as `gmail.co`
 */
export function suggestDomain(address: string, isTyping: boolean): string | null {
  const domain = domainOf(address).toLowerCase();
  if ([...FREQUENT, ...RIGHT].includes(domain)) return null;
  if (isTyping && FREQUENT.some((each) => each.startsWith(domain))) return null;
  return FREQUENT.find((each) => isOneTypoApart(each, domain)) ?? null;
}

/** Empty while there is no `@`. */
export const domainOf = (address: string): string =>
  address.includes('@') ? address.slice(address.lastIndexOf('@') + 1).trim() : '';
