/**
 * Limits for open connections, computed from the process's limit of file descriptors. A connection
 * takes one descriptor, and a second one while a file is sent on it. Without free descriptors, the
 * server could not open its log.
 */
import { readFileSync } from 'node:fs';

/** Upper bound for all connections. So many take about 150 MB of memory. */
const MAX_CONNECTIONS = 10_000;
/** Upper bound for the connections of one address, if no proxy is in front. */
const MAX_PER_ADDRESS = 1000;
const DESCRIPTORS_PER_CONNECTION = 2;
/**
 * Descriptors that are kept free for the database, the log, and the processes that read reports.
 */
const OTHER_DESCRIPTORS = 100;
/**
 * Lower bound, even if there are too few descriptors: a browser needs several connections for a
 * page.
 */
const MIN_CONNECTIONS = 50;

/** Upper bounds for open connections. */
export interface ConnectionBounds {
  /**
   * Upper bound for all addresses except this machine's own. Behind a proxy, `all` and `local`
   * together bound all connections.
   */
  all: number;
  /** Upper bound for one IPv4 address or IPv6 /56. */
  perAddress: number;
  /** Upper bound for one IPv6 /48, which contains 256 networks of the size /56. */
  perNetwork: number;
  /** Upper bound for this machine's own address, so that a supervisor can always connect. */
  local: number;
}

/** Computes the limits. @param descriptors how many this process may open */
export function boundsForDescriptors(descriptors: number): ConnectionBounds {
  const affordable = Math.floor((descriptors - OTHER_DESCRIPTORS) / DESCRIPTORS_PER_CONNECTION);
  const total = Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, affordable));
  const perAddress = Math.min(MAX_PER_ADDRESS, Math.floor(total / 4));
  return { all: total - perAddress, perAddress, perNetwork: 2 * perAddress, local: perAddress };
}

/**
 * Reads how many descriptors this process may open.
 *
 * @returns Infinity if the system does not say, as outside of Linux
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

/** Describes the limits in a sentence for the server's log. */
export function describeBounds(descriptors: number): string {
  const { all, local } = boundsForDescriptors(descriptors);
  const sentence = `At most ${all + local} connections at the same time`;
  const needed = MAX_CONNECTIONS * DESCRIPTORS_PER_CONNECTION + OTHER_DESCRIPTORS;
  if (descriptors >= needed) return `${sentence}.`;
  return `${sentence}, because this process may open only ${descriptors} files. ${needed} are enough for ${MAX_CONNECTIONS} (ulimit -n; LimitNOFILE of systemd).`;
}
