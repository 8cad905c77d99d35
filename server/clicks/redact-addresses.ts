/**
 * Applies `logIp` to text from outside, for the file of refused clicks. A rejected body may contain the visitor's address, in its
 * field `ip` or elsewhere. In doubt, this removes too much.
 */
import { isIP } from 'node:net';
import type { LogIp } from '#contract/privacy.schema.ts';
import { loggedAddress } from '../http/address.ts';

const REMOVED = '[address]';

const DOT = String.raw`(?:\.|%2e|\\u002e)`;
const COLON = String.raw`(?::|%3a|\\u003a)`;
/** Four numbers with dots between them. Also matches browser versions of that form. */
const IPV4 = String.raw`\d{1,3}(?:${DOT}\d{1,3}){3}`;
/** A group of an IPv6 address. Bounded, because an unbounded run before a missing colon would be tried from each of its characters. */
const DIGITS = String.raw`[\da-f]{0,4}`;
/** Hexadecimal digits with two or more colons. May end with an IPv4 address. */
const IPV6 = String.raw`${DIGITS}${COLON}${DIGITS}${COLON}(?:[\da-f]|${COLON}|${DOT}\d)*`;
/** Exported for the check that it takes linear time. */
export const ADDRESSES = new RegExp(`${IPV6}|${IPV4}`, 'gi');
const CLOCK_TIME = /^\d{2}:\d{2}:\d{2}(?:\.\d{3})?$/;

export function redactAddresses(text: string, policy: LogIp): string {
  if (policy === 'full') return text;
  return text.replace(ADDRESSES, (found) => {
    if (CLOCK_TIME.test(found)) return found;
    return isIP(found) === 0 ? REMOVED : (loggedAddress(found, policy) ?? REMOVED);
  });
}

/**
 * Returns a rejected body with its addresses reduced as the policy says. JSON is parsed first, so that no escape hides
 * an address. Any other value of its field `ip` is removed.
 */
export function redactBody(body: string | null, policy: LogIp): string | null {
  if (body === null || policy === 'full') return body;
  try {
    return JSON.stringify(JSON.parse(body), (key, value) => {
      if (key === 'ip' && typeof value !== 'object') return redactIp(value, policy);
      return typeof value === 'string' ? redactAddresses(value, policy) : value;
    });
  } catch {
    return redactAddresses(body, policy);
  }
}

function redactIp(value: unknown, policy: LogIp): string {
  const isAddress = typeof value === 'string' && isIP(value) !== 0;
  return (isAddress ? loggedAddress(value, policy) : null) ?? REMOVED;
}
