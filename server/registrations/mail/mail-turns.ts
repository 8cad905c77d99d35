/**
 * Computes when the mail of a registration is due, so that fake registrations neither flood a mailbox nor delay real mails. It
 * counts in this process only, from its start: nothing about a network or a mailbox is stored.
 */
import { networkKey } from '../../http/address.ts';
import { normalizeEmail } from '../encryption.ts';
import { createMemoryCounter } from './memory-counter.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Mails per hour and network without a delay, because a clinic may register several families. */
const AT_ONCE = 5;
/** About the time that an SMTP server needs for a mail, so that other networks' mails fit in between. */
const STEP_MS = 10_000;
/** Upper bound, in case a proxy makes all visitors look like one network. */
const LONGEST_MS = 6 * HOUR_MS;
/** Mails to one mailbox per UTC day. A family may register several members with tags. */
const MAILBOX_PER_DAY = 3;
/** Mails of this server per clock hour. That is more families than a talk at a conference sends. */
const ALL_PER_HOUR = 500;

/** From the sender's network address, the mail's recipient and the time of registration to the time at which its mail is due. */
export type MailTurn = (address: string, email: string, at: Date) => Date;

export function createMailTurns(): MailTurn {
  const afterNetwork = createNetworkDelay();
  const mailboxDay = createQuota(MAILBOX_PER_DAY, DAY_MS);
  const hour = createQuota(ALL_PER_HOUR, HOUR_MS);
  return (address, email, at) => {
    const now = at.getTime();
    return new Date(hour('all', mailboxDay(mailboxOf(email), afterNetwork(address, now))));
  };
}

function createNetworkDelay() {
  const count = createMemoryCounter();
  return (address: string, now: number): number => {
    const { current } = count(networkKey(address), HOUR_MS, now);
    return now + Math.min(Math.max(0, current - AT_ONCE) * STEP_MS, LONGEST_MS);
  };
}

/** @returns the first time from `from` on, in milliseconds since 1970, whose period has less than `limit` mails of this key */
function createQuota(limit: number, periodMs: number) {
  const count = createMemoryCounter();
  return (key: string, from: number): number => {
    let due = from;
    for (;;) {
      const ends = due - (due % periodMs) + periodMs;
      if (count(`${ends} ${key}`, ends - due, due).current <= limit) return due;
      due = ends;
    }
  };
}

/** The mailbox of an address: mail servers drop the tag after a `+`, and some the dots. */
function mailboxOf(email: string): string {
  const address = normalizeEmail(email);
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).split('+');
  return `${name.replaceAll('.', '')}${address.slice(at)}`;
}
