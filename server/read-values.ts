/** Readers of single values of the environment, with messages that say what a value must be. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { KEYS_FORMAT, type KeyRing, parseKeyRing } from './registrations/key-ring.ts';

export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(z.int(error).min(min, error).max(max, error));
};

export const folder = z.string().transform((path) => resolve(path));

/** A URL that may contain a password, which the error message does not repeat. */
export const serviceUrl = (protocols: string[], example: string) => {
  const error = `must be a URL like ${example}`;
  return z
    .string()
    .refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), error)
    .transform((value) => new URL(value));
};

/** WatchdogSec of the unit, in milliseconds; null: none. */
export function readWatchdog(microseconds: string | undefined): number | null {
  const ms = Number(microseconds) / 1000;
  return ms > 0 ? ms : null;
}

/** In PostHog's cloud, the app of https://eu.i.posthog.com is https://eu.posthog.com. */
const EVENT_HOST = /^https:\/\/(eu|us)\.i\.posthog\.com$/;

export function appHostOf(posthogHost: string): string | null {
  const region = EVENT_HOST.exec(posthogHost)?.[1];
  return region ? `https://${region}.posthog.com` : null;
}

/** False for PostHog's host for events, where no one logs in. */
export function isNoEventHost(url: string): boolean {
  return !/^https:\/\/\w+\.i\.posthog\.com/.test(url);
}

export function readKeys(value: string, context: z.RefinementCtx): KeyRing {
  const ring = parseKeyRing(value);
  if (ring) return ring;
  // The value is secret, so no message contains it.
  context.issues.push({ code: 'custom', input: undefined, message: KEYS_FORMAT });
  return z.NEVER;
}

/** A port, or `off` or 0 for none. */
export function readMetricsPort(value: string, context: z.RefinementCtx): number | null {
  if (value === 'off' || value === '0') return null;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  context.issues.push({
    code: 'custom',
    input: value,
    message: 'must be a port from 1 to 65535, or off',
  });
  return z.NEVER;
}

/** "clinic.example, portal.example". */
export function readHosts(value: string, context: z.RefinementCtx): string[] {
  const hosts = value.split(',').map((host) => host.trim().toLowerCase());
  if (hosts.every((host) => /^[a-z0-9.-]+$/.test(host))) return hosts;
  context.issues.push({
    code: 'custom',
    input: value,
    message: 'must be host names like clinic.example, separated by commas',
  });
  return z.NEVER;
}

/** "https://a.example, https://b.example". No star, because every page could then act in its visitors' names. */
export function readOrigins(value: string, context: z.RefinementCtx): string[] {
  const origins = value.split(',').map((origin) => origin.trim());
  if (origins.every((origin) => URL.parse(origin)?.origin === origin)) return origins;
  context.issues.push({
    code: 'custom',
    input: value,
    message: 'must be origins like https://www.site.example, separated by commas',
  });
  return z.NEVER;
}

/** "growth@site.example, team@site.example". */
export function readAddresses(value: string, context: z.RefinementCtx): string[] {
  const addresses = value.split(',').map((address) => address.trim());
  if (addresses.every((address) => z.email().safeParse(address).success)) return addresses;
  context.issues.push({
    code: 'custom',
    input: value,
    message: 'must be e-mail addresses, separated by commas',
  });
  return z.NEVER;
}

const PROXY_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

/** A number of hops, or addresses: "10.0.0.1, 192.168.0.0/16, loopback". Not "all", because visitors could choose their address. */
export function readTrustedProxies(value: string, context: z.RefinementCtx): number | string[] {
  if (/^[1-9]$/.test(value)) return Number(value);
  const proxies = value.split(',').map((proxy) => proxy.trim());
  if (proxies.every(isAddressOrRange)) return proxies;
  context.issues.push({
    code: 'custom',
    input: value,
    message: `must be the number of proxies (1 to 9) or their addresses, like 10.0.0.1,192.168.0.0/16,${PROXY_RANGES[0]}`,
  });
  return z.NEVER;
}

function isAddressOrRange(proxy: string): boolean {
  if (PROXY_RANGES.includes(proxy)) return true;
  const [address = '', bits, ...rest] = proxy.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^[1-9]\d*$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}
