/** Answer of GET /api/stats: counts only, nothing about anybody. */
import { z } from 'zod';
import { CTA_EVENTS } from './cta.ts';

/** UTC days that `per_day` tells of, today among them. */
export const STATS_DAYS = 30;

const count = z.int().nonnegative();
/** One entry per call to action, zero included. */
const byEvent = z.record(z.enum(CTA_EVENTS), count);

export const statsSchema = z.object({
  /** People's clicks, as in `clicks report`. Robots' clicks (`is_bot`) are in the ledger only. */
  clicks: z.object({
    /** Since the beginning, calls to action that are no longer in the page among them. */
    total: count,
    by_event: byEvent,
    /** The last 30 days, the oldest first, days without a click among them. */
    per_day: z.array(z.object({ day: z.iso.date(), total: count, by_event: byEvent })),
  }),
  /** Before today (UTC), rounded down to tens; null below 100, and where none are taken. */
  registrations: z.object({ total: count.nullable() }),
});
export type Stats = z.infer<typeof statsSchema>;
