/**
 * Limits the mails of one address block (IPv4 /24, IPv6 /48) a day, so that registrations from one
 * block do not delay the mails of other blocks. The mail queue has only a keyed hash of the block.
 * The key is only in this process, so no copy of the database leads from a hash to an address.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { networkKey } from '../http/address.ts';
import { type Clock, DAY_MS } from '../time.ts';
import type { Origin } from './store-registrations.ts';

/**
 * Daily limit of a block's mails, as a fraction of RATE_LIMIT: 100 mails with the default of 600.
 * More families hardly register at one place in a day.
 */
const MAILS_PER_BLOCK_AND_DAY = 1 / 6;

interface Options {
  /** The setting RATE_LIMIT. 0: unlimited. */
  limit: number;
  now?: Clock | undefined;
}

export type Blocks = ReturnType<typeof createBlocks>;

/** Creates the counters of all blocks, for this process. */
export function createBlocks({ limit, now = Date.now }: Options) {
  const perDay =
    limit === 0 ? Number.POSITIVE_INFINITY : Math.ceil(limit * MAILS_PER_BLOCK_AND_DAY);
  const key = randomBytes(32);
  /** Number of queued mails of each block that are due today (UTC) or later. */
  const mails = new Map<string, number>();
  let day = 0;

  /** After a change of the day (UTC), subtracts the mails that were due on the days before. */
  const beginDay = () => {
    const today = Math.floor(now() / DAY_MS);
    const dueBefore = perDay * Math.max(0, today - day);
    day = today;
    if (dueBefore === 0) return;
    for (const [block, n] of mails) {
      if (n > dueBefore) mails.set(block, n - dueBefore);
      else mails.delete(block);
    }
  };
  return {
    /** Returns the block of an address, and how many days the next mail of it must wait. */
    originOf(ip: string): Origin {
      beginDay();
      const block = createHmac('sha256', key).update(networkKey(ip)).digest('base64url');
      return { block, days: Math.floor((mails.get(block) ?? 0) / perDay) };
    },
    /** Counts one more queued mail of a block. */
    count({ block }: Origin): void {
      mails.set(block, (mails.get(block) ?? 0) + 1);
    },
  };
}
