/**
 * Applies LOG_IP to text from outside, for refused.jsonl: a rejected body may hold the address that the IP service told
 * the browser, in its field `ip` or anywhere else. Removes rather too much than too little.
 */
import { isIP } from 'node:net';
import type { LogIp } from '#contract/privacy.schema.ts';
import { loggedAddress } from '../http/address.ts';

const REMOVED = '[address]';

const DOT = String.raw`(?:\.|%2e|\\u002e)`;
const COLON = String.raw`(?::|%3a|\\u003a)`;
/** Four numbers with dots between them; versions of browsers look the same. */
const IPV4 = String.raw`\d{1,3}(?:${DOT}\d{1,3}){3}`;
/** Two colons or more among hexadecimal digits; an IPv4 address may be its end. */
const IPV6 = String.raw`[\da-f]*${COLON}[\da-f]*${COLON}(?:[\da-f]|${COLON}|${DOT}(?=\d))*`;
const ADDRESSES = new RegExp(`${IPV6}|${IPV4}`, 'gi');
const CLOCK_TIME = /^\d{2}:\d{2}:\d{2}(?:\.\d{3})?$/;

/** Returns the text with each address as the policy lets it be written. */
export function redactAddresses(text: string, policy: LogIp): string {
  if (policy === 'full') return text;
  return text.replace(ADDRESSES, (found) => {
    if (CLOCK_TIME.test(found)) return found;
    return isIP(found) === 0 ? REMOVED : (loggedAddress(found, policy) ?? REMOVED);
  });
}

/**
 * Returns a rejected body as the policy lets it be written. JSON is parsed first, so that no escape hides an address;
 * its field `ip` keeps nothing but an address.
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
