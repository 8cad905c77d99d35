/** Network addresses: their form in the log, and the keys of the rate limit. */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { LogIp } from '#contract/privacy.schema.ts';

/** What a proxy names instead of an address, or a sender of an invalid X-Forwarded-For. All of them share one key. */
const NO_ADDRESS = 'none';
/** Some proxies add the port of the connection. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.%]+)\](?::\d+)?)$/i;

/**
 * Converts an IPv4 address from an IPv6 socket to IPv4, and removes a zone (`%eth0`) and a port.
 *
 * @returns `none` if it is not an address
 */
export function plainAddress(given: string): string {
  if (isIPv4(given)) return given;
  const text = given.slice(0, MAX_ADDRESS);
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  const address = withoutMapping(ipv4 ?? ipv6 ?? text);
  return isIP(address) === 0 ? NO_ADDRESS : address;
}

/** Characters. The longest IPv6 address has 45, and a zone and a port follow. */
const MAX_ADDRESS = 100;

function withoutMapping(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? withoutZone(address);
}

function withoutZone(address: string): string {
  const [plain = ''] = address.split('%', 1);
  return plain;
}

/** @returns the address as LOG_IP allows it: whole, its network (/24, /48), or null */
export function loggedAddress(address: string | null, policy: LogIp): string | null {
  if (address === null || policy === 'none') return null;
  const plain = plainAddress(address);
  if (plain === NO_ADDRESS) return null;
  return policy === 'full' ? plain : networkKey(plain);
}

/** @returns one key per visitor: the IPv4 address, or the IPv6 /64, because one visitor has a whole /64 */
export function rateLimitKey(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(':') ? networkOf(plain, 4) : plain;
}

/** @returns one key per network: the IPv4 /24, or the IPv6 /48 that providers give to one customer */
export function networkKey(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(':') ? networkOf(plain, 3) : lastGroupZero(plain);
}

const lastGroupZero = (address: string): string =>
  isIPv4(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0` : address;

/** @returns the first groups of 16 bits of an IPv6 address, the rest zero: `2001:db8:0:1::` */
function networkOf(address: string, groups: number): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':');
    // A dotted end (::ffff:1.2.3.4) stands for two groups.
    const width = last.length + (tail.includes('.') ? 1 : 0);
    first.push(...Array(Math.max(0, 8 - first.length - width)).fill('0'), ...last);
  }
  const kept = first.slice(0, groups).map((group) => Number.parseInt(group, 16).toString(16));
  return `${kept.join(':')}::`;
}
