/** Network addresses: how they are logged, and the keys by which limits count them. */
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { LogIp } from '#contract/built-site.schema.ts';
import type { Settings } from '../settings.ts';

/**
 * Stands for an address that is missing or invalid. A proxy may send a word instead of an address,
 * a client an invalid X-Forwarded-For, and a reset connection has no address. All of them share one
 * limit.
 */
const NO_ADDRESS = 'none';
/** An address with a port, as some proxies send it: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const ADDRESS_WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.%]+)\](?::\d+)?)$/i;
/** Upper bound in characters. The longest IPv6 address has 45, and a zone and a port may follow. */
const MAX_ADDRESS = 100;
/**
 * Leading bits of an IPv6 address by which a visitor is counted. Providers give at least a /56 to a
 * home.
 */
const VISITOR_BITS = 56;
/** Leading bits of an IPv6 address that belong to one customer of a provider. */
const NETWORK_BITS = 48;

/**
 * Normalises an address: removes a zone (`%eth0`) and a port, and turns an IPv4 address written as
 * IPv6 into IPv4.
 *
 * @returns `none` if it is not an address
 */
export function plainAddress(given = ''): string {
  if (isIPv4(given)) return given;
  const text = given.slice(0, MAX_ADDRESS);
  const [, ipv4, ipv6] = ADDRESS_WITH_PORT.exec(text) ?? [];
  const [address = ''] = (ipv4 ?? ipv6 ?? text).split('%', 1);
  return isIP(address) === 0 ? NO_ADDRESS : normalizeIP(address, 128);
}

/**
 * Whether the visitor uses Global Privacy Control or Do Not Track. Then no address is logged, and
 * PostHog gets nothing.
 */
export const wantsPrivacy = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1';

/**
 * Returns as much of an address as the setting `logIp` allows: the address, its network (/24 or
 * /48), or null.
 */
export function loggedAddress(address: string | null, policy: LogIp): string | null {
  if (address === null || policy === 'none') return null;
  const plain = plainAddress(address);
  if (plain === NO_ADDRESS) return null;
  return policy === 'full' ? plain : networkKey(plain);
}

/** Returns the key by which limits count a visitor: the IPv4 address, or the IPv6 /56. */
export const rateLimitKey = (address: string): string =>
  normalizeIP(plainAddress(address), VISITOR_BITS);

/**
 * Returns the key by which limits count a network: the IPv4 /24, or the IPv6 /48 that providers
 * give to a customer.
 */
export function networkKey(address: string): string {
  const plain = plainAddress(address);
  return isIPv4(plain)
    ? `${plain.slice(0, plain.lastIndexOf('.'))}.0`
    : normalizeIP(plain, NETWORK_BITS);
}

/**
 * Creates a function that says whether an address is in a network.
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
 * Converts TRUST_PROXY to Fastify's option `trustProxy`. Fastify takes lists of addresses as they
 * are. For a number of proxies, counted from the nearest one, it needs a function.
 */
export const trustedProxies = (proxies: Settings['TRUST_PROXY']) =>
  typeof proxies === 'number'
    ? (_address: string, hop: number) => hop < proxies
    : (proxies ?? false);
