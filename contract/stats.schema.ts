/** Answer of GET /api/stats: counts only, nothing about anybody. */
import { z } from 'zod';
import { CTA_EVENTS } from './cta.ts';

const count = z.int().nonnegative();

export const statsSchema = z.object({
  clicks: z.object({
    total: count,
    /** Since the beginning, one entry per call to action, zero included. */
    by_event: z.record(z.enum(CTA_EVENTS), count),
  }),
});
export type Stats = z.infer<typeof statsSchema>;
