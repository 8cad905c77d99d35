/** Counts the clicks on buttons that this server knows, and that none knew when they came: the page was newer than the server. */
import { CTA_EVENTS } from '#contract/cta.ts';
import { defineWork } from '../database/database.ts';
import {
  ADD_TO_COUNT,
  dayOf,
  type Queueable,
  queueClicks,
  type StoreOptions,
  UNKNOWN,
} from './store-clicks.ts';

/** One statement, so that of two servers only one gets a row. */
const MARK = `UPDATE clicks SET is_known = true WHERE NOT is_known AND event = $1
  RETURNING id, event, received_at, is_bot, is_internal, is_private, is_known, forgotten_at`;

type Learnt = Queueable & { event: string; received_at: number };

/** Moves their counts from `unknown` to their names, and queues them for PostHog. @returns the number of clicks */
export const learnButtons = defineWork(
  import.meta.url,
  'learnButtons',
  async (session, { server, toPosthog }: StoreOptions): Promise<number> => {
    const found = await Promise.all(CTA_EVENTS.map((event) => session.run(MARK, [event])));
    const learnt = (found.flat() as never as Learnt[]).filter(({ is_internal }) => !is_internal);
    // This server's counter of unknown clicks may fall below zero. Every reader adds up those of all servers.
    const moved = learnt.flatMap(({ received_at, event, is_bot }) => [
      [dayOf(received_at), UNKNOWN, is_bot, server, -1],
      [dayOf(received_at), event, is_bot, server, 1],
    ]);
    await session.runEach(ADD_TO_COUNT, moved);
    if (toPosthog) await queueClicks(session, learnt, Date.now());
    return learnt.length;
  },
);
