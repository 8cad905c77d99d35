/**
 * Computes when the mail of a registration is due. A network with many registrations waits longer for each mail, so that fake
 * registrations do not delay real mails. Nothing about the network is stored.
 */
import { networkKey } from '../../http/address.ts';
import { createMemoryCounter } from '../../http/rate-limit/memory-counter.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Mails per hour and network without a delay, because a clinic may register several families. */
const AT_ONCE = 5;
/** About the time that an SMTP server needs for a mail, so that other networks' mails fit in between. */
const STEP_MS = 10_000;
/** Upper bound, in case a proxy makes all visitors look like one network. */
const LONGEST_MS = 6 * HOUR_MS;

/** @returns a function from the sender's address and the time of registration to the time at which its mail is due */
export function createMailTurns(): (address: string, at: Date) => Date {
  const count = createMemoryCounter();
  return (address, at) => {
    const { current } = count(networkKey(address), HOUR_MS, at.getTime());
    const waitMs = Math.max(0, current - AT_ONCE) * STEP_MS;
    return new Date(at.getTime() + Math.min(waitMs, LONGEST_MS));
  };
}
