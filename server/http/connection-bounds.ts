/**
 * How many connections the server may have open. Each takes a descriptor, and another one while
 * the server sends a file on it. Without descriptors the server could not open its log or answer.
 */
import { readFileSync } from 'node:fs';

/** They take about 150 MB. */
const MAX_CONNECTIONS = 10_000;
/** Upper bound for one address, where visitors connect directly. */
const MAX_PER_ADDRESS = 1000;
const DESCRIPTORS_PER_CONNECTION = 2;
/** For the database, the log, and the processes that read reports. */
const OTHER_DESCRIPTORS = 100;
/** With fewer descriptors a page, which asks for several files at once, could not be read. */
const MIN_CONNECTIONS = 50;

export interface ConnectionBounds {
  /** Of all addresses but this machine's own. Behind a proxy: of all connections. */
  all: number;
  perAddress: number;
  /** Of an IPv6 /48, which has 256 addresses in the sense of the limits. */
  perNetwork: number;
  /** Of this machine, so that a supervisor can always ask. */
  local: number;
}

/** @param descriptors that this process may open */
export function boundsForDescriptors(descriptors: number): ConnectionBounds {
  const fit = Math.floor((descriptors - OTHER_DESCRIPTORS) / DESCRIPTORS_PER_CONNECTION);
  const total = Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, fit));
  const perAddress = Math.min(MAX_PER_ADDRESS, Math.floor(total / 4));
  return { all: total - perAddress, perAddress, perNetwork: 2 * perAddress, local: perAddress };
}

/**
 * @returns the limit of this process; Infinity where the system does not say it, as outside of
 * Linux
 */
export function readDescriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, limit] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** @returns a line for the start */
export function describeBounds(descriptors: number): string {
  const { all, local } = boundsForDescriptors(descriptors);
  const most = `At most ${all + local} connections at the same time`;
  const needed = MAX_CONNECTIONS * DESCRIPTORS_PER_CONNECTION + OTHER_DESCRIPTORS;
  if (descriptors >= needed) return `${most}.`;
  return `${most}, because this process may open only ${descriptors} files. ${needed} are enough for ${MAX_CONNECTIONS} (ulimit -n; LimitNOFILE of systemd).`;
}
