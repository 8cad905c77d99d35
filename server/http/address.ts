/** Network addresses: their form in the log, and the keys of the limits. */
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { LogIp } from '#contract/built-site.schema.ts';
import type { Settings } from '../settings.ts';

/**
 * The words of a proxy instead of an address, or of a sender of an invalid X-Forwarded-For. They
 * and reset connections share one key.
 */
const NO_ADDRESS = 'none';
/** Some proxies add the port of the connection. */
const ADDRESS_WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.%]+)\](?::\d+)?)$/i;
/** Characters. The longest IPv6 address has 45, and a zone and a port follow. */
const MAX_ADDRESS = 100;
/**
 * Bits of an IPv6 address that one visitor's lines share. Providers give at least a /56 to a home.
 */
const VISITOR_BITS = 56;
/** Bits that one customer's network shares. */
const NETWORK_BITS = 48;

/**
 * @returns the address without a zone (`%eth0`) and a port, and as IPv4 if it is one in IPv6;
 * `none` if it is not an address
 */
export function plainAddress(given = ''): string {
  if (isIPv4(given)) return given;
  const text = given.slice(0, MAX_ADDRESS);
  const [, ipv4, ipv6] = ADDRESS_WITH_PORT.exec(text) ?? [];
  const [address = ''] = (ipv4 ?? ipv6 ?? text).split('%', 1);
  return isIP(address) === 0 ? NO_ADDRESS : normalizeIP(address, 128);
}

/** Global Privacy Control or Do Not Track. Then no address is logged, and PostHog gets nothing. */
export const wantsPrivacy = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1';

/** @returns the address as `logIp` allows it: whole, its network (/24, /48), or null */
export function loggedAddress(address: string | null, policy: LogIp): string | null {
  if (address === null || policy === 'none') return null;
  const plain = plainAddress(address);
  if (plain === NO_ADDRESS) return null;
  return policy === 'full' ? plain : networkKey(plain);
}

/** @returns one key per visitor: the IPv4 address, or the IPv6 /56 */
export const rateLimitKey = (address: string): string =>
  normalizeIP(plainAddress(address), VISITOR_BITS);

/**
 * @returns one key per network: the IPv4 /24, or the IPv6 /48 that providers give to one customer
 */
export function networkKey(address: string): string {
  const plain = plainAddress(address);
  return isIPv4(plain)
    ? `${plain.slice(0, plain.lastIndexOf('.'))}.0`
    : normalizeIP(plain, NETWORK_BITS);
}

/**
 * Makes a function that says whether an address is in a network.
 *
 * @param network such as 203.0.113.0/24 or 2001:db8::/48
 */
export function createNetworkTest(network: string): (address: string) => boolean {
  const [first = '', bits] = network.split('/');
  const list = new BlockList();
  list.addSubnet(first, Number(bits), familyOf(first));
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

/**
 * Fastify's own option takes addresses and networks. A number of proxies, counted from the nearest
 * one, needs a function.
 */
export const trustedProxies = (proxies: Settings['TRUST_PROXY']) =>
  typeof proxies === 'number'
    ? (_address: string, hop: number) => hop < proxies
    : (proxies ?? false);
