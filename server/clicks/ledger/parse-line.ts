/** Reads a line of the ledger with JSON.parse and zod. This schema defines which lines are clicks. */
import { z } from 'zod';
import { MAX_SEQ } from '#contract/limits.ts';

const isoTime = z.iso.datetime({ precision: 3 }).refine((time) => Date.parse(time) > 0);

/** An older server may leave out the optional fields. An invalid value of one of them counts as missing. */
const lineSchema = z.object({
  id: z.uuid(),
  visit_id: z.string().nullable(),
  event: z.string(),
  referrer: z.string().nullable(),
  timestamp: z.string(),
  page_url: z.string(),
  user_agent: z.string(),
  is_bot: z.boolean(),
  received_at: isoTime,
  remote_ip: z.string().nullish().catch(undefined),
  is_mobile: z.boolean().optional().catch(undefined),
  sent_at: z.string().nullish().catch(undefined),
  via: z.string().optional().catch(undefined),
  /** An invalid value counts as the wish for privacy. */
  private: z.boolean().optional().catch(true),
  campaign: z.record(z.string(), z.string()).optional().catch(undefined),
  referring_domain: z.string().optional().catch(undefined),
  screen_class: z.string().optional().catch(undefined),
  seq: z.int().min(1).max(MAX_SEQ).optional().catch(undefined),
});
export type LedgerLine = z.infer<typeof lineSchema>;

/** @returns null for a line that is not a click */
export function parseLine(line: string): LedgerLine | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
