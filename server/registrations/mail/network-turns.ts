/**
 * Spaces the mails of a network, so that fake registrations do not delay real mails. It counts in memory, from the start of the
 * server, because nothing about a network is stored.
 */
import { networkKey } from '../../http/address.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Mails per hour and network without a delay, because a clinic may register several families. */
const AT_ONCE = 5;
/** About the time that an SMTP server needs for a mail, so that other networks' mails fit in between. */
const STEP_MS = 10_000;
/** Upper bound, in case a proxy makes all visitors look like one network. */
const LONGEST_MS = 6 * HOUR_MS;

/** @returns a function from a visitor's address and the present to the time from which the mail may be sent */
export function createNetworkTurns(): (address: string, now: number) => number {
  let hour = 0;
  let counts = new Map<string, number>();
  return (address, now) => {
    const thisHour = Math.floor(now / HOUR_MS);
    if (thisHour !== hour) [hour, counts] = [thisHour, new Map()];
    const key = networkKey(address);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return now + Math.min(Math.max(0, count - AT_ONCE) * STEP_MS, LONGEST_MS);
  };
}
