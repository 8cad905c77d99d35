/** Network addresses: how one is written down, and whom the rate limit counts as one visitor. */
import { isIPv6 } from 'node:net';
import type { LogIp } from '#contract/privacy.schema.ts';

/** An IPv4 address that arrived over an IPv6 socket is an IPv4 address; a zone (`%eth0`) is no part of one. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address.replace(/%.*$/, '');
}

/** The address as LOG_IP lets it be written: whole, its network (/24, /48), or not at all. */
export function loggedAddress(address: string | null, policy: LogIp): string | null {
  if (address === null || policy === 'none') return null;
  return policy === 'full' ? plainAddress(address) : networkKey(address);
}

/** One key per visitor's line: the IPv4 address, or the IPv6 /64, of which one line has 2^64 addresses. */
export function rateLimitKey(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(':') ? networkOf(plain, 4) : plain;
}

/** One key per network: the IPv4 /24, or the IPv6 /48 that providers give to one customer. */
export function networkKey(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(':') ? networkOf(plain, 3) : plain.replace(/\d+$/, '0');
}

/** The first groups of 16 bits of an IPv6 address, the rest zero: `2001:db8:0:1::`. */
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
