/** Answer of GET /api/stats: counts, and no data about persons. */
import { z } from 'zod';
import { CTA_EVENTS } from '#contract/cta.ts';

/** Number of UTC days in `per_day`, today included. */
export const STATS_DAYS = 30;

const count = z.int().nonnegative();
/** One entry per call to action, also for zero clicks. */
const byEvent = z.record(z.enum(CTA_EVENTS), count);

export const statsSchema = z.object({
  /** People's clicks. Robots' clicks (`is_bot`) count in no figure. */
  clicks: z.object({
    /** All clicks ever, including those on calls to action that are no longer on the page. */
    total: count,
    by_event: byEvent,
    /** The last 30 days, the oldest first, including days without a click. */
    per_day: z.array(z.object({ day: z.iso.date(), total: count, by_event: byEvent })),
  }),
  /** Registrations before today (UTC), rounded down to tens; null below 100. */
  registrations: z.object({ total: count.nullable() }),
});
export type Stats = z.infer<typeof statsSchema>;
