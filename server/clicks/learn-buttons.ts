/** Counts the clicks on buttons that this server knows, and that none knew when they came: the page was newer than the server. */
import { CTA_EVENTS } from '#contract/cta.ts';
import { defineWork, type Value } from '../database/database.ts';
import { queueClicks } from './queue-clicks.ts';
import { ADD_TO_COUNT, dayOf, type StoreOptions, UNKNOWN } from './store-clicks.ts';

/** One statement, so that of two servers only one gets a row. */
const MARK = `UPDATE clicks SET is_known = true WHERE NOT is_known AND event = $1
  RETURNING id, event, received_at, is_bot, is_private, forgotten_at`;

interface Learnt {
  id: string;
  event: string;
  received_at: number;
  is_bot: boolean;
  is_private: boolean;
  forgotten_at: number | null;
}

/** Moves their counts from `unknown` to their names, and queues them for PostHog. @returns the number of clicks */
export const learnButtons = defineWork(
  import.meta.url,
  'learnButtons',
  async (session, { server, toPosthog }: StoreOptions): Promise<number> => {
    const learnt: Learnt[] = [];
    for (const event of CTA_EVENTS) {
      const rows = (await session.run(MARK, [event])) as never as Learnt[];
      learnt.push(...rows.map(withBooleans));
    }
    await session.runEach(
      ADD_TO_COUNT,
      learnt.flatMap((click) => movedCounts(click, server)),
    );
    const clicks = learnt.map((click) => ({ ...click, is_known: true }));
    if (toPosthog) await queueClicks(session, clicks, Date.now());
    return learnt.length;
  },
);

/** SQLite has 0 and 1. */
const withBooleans = (click: Learnt): Learnt => ({
  ...click,
  is_bot: Boolean(click.is_bot),
  is_private: Boolean(click.is_private),
});

/** This server's counter of unknown clicks may fall below zero. Every reader adds up those of all servers. */
function movedCounts({ received_at, event, is_bot }: Learnt, server: string): Value[][] {
  const day = dayOf(received_at);
  return [
    [day, UNKNOWN, is_bot, server, -1],
    [day, event, is_bot, server, 1],
  ];
}
