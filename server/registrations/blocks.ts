/**
 * The address blocks (IPv4 /24, IPv6 /48) from which registrations come, so that the mails of one
 * block cannot keep those of others waiting, and have a bound a day. The queue of mails has a
 * block's hash, whose key is only in this process: nobody can find the address from it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { networkKey } from '../http/address.ts';
import { type Clock, DAY_MS } from '../time.ts';
import type { Origin } from './store-registrations.ts';

/**
 * Part of RATE_LIMIT, which is 600 by default: 100 mails. More families are hardly at one place in
 * a day.
 */
const MAILS_PER_BLOCK_AND_DAY = 1 / 6;

interface Options {
  /** RATE_LIMIT; 0: unlimited. */
  limit: number;
  now?: Clock | undefined;
}

export type Blocks = ReturnType<typeof createBlocks>;

export function createBlocks({ limit, now = Date.now }: Options) {
  const perDay =
    limit === 0 ? Number.POSITIVE_INFINITY : Math.ceil(limit * MAILS_PER_BLOCK_AND_DAY);
  const key = randomBytes(32);
  /** Mails of each block that are for this day (UTC) or later ones. */
  const mails = new Map<string, number>();
  let day = 0;

  const beginDay = () => {
    const today = Math.floor(now() / DAY_MS);
    const sent = perDay * Math.max(0, today - day);
    day = today;
    if (sent === 0) return;
    for (const [block, n] of mails) {
      if (n > sent) mails.set(block, n - sent);
      else mails.delete(block);
    }
  };
  return {
    originOf(ip: string): Origin {
      beginDay();
      const block = createHmac('sha256', key).update(networkKey(ip)).digest('base64url');
      return { block, days: Math.floor((mails.get(block) ?? 0) / perDay) };
    },
    /** Counts a mail that was queued. */
    count({ block }: Origin): void {
      mails.set(block, (mails.get(block) ?? 0) + 1);
    },
  };
}
