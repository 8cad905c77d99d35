/** Reads a ledger line with JSON.parse and zod: the slow way, which defines which lines are clicks. */
import { z } from 'zod';

const isoTime = z.iso.datetime({ precision: 3 }).refine((time) => Date.parse(time) > 0);

/** Fields that the report needs. A newer or older server may leave out the optional ones. */
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
  is_mobile: z.boolean().optional().catch(undefined),
  sent_at: z.string().nullish().catch(undefined),
  via: z.string().optional().catch(undefined),
  private: z.boolean().optional().catch(undefined),
  campaign: z.record(z.string(), z.string()).nullish().catch(undefined),
  referring_domain: z.string().nullish().catch(undefined),
  screen_class: z.string().nullish().catch(undefined),
  seq: z.int().min(1).max(65_535).optional().catch(undefined),
});
export type ParsedLine = z.infer<typeof lineSchema>;

/** @returns null for a line that is not a click */
export function parseLine(line: string): ParsedLine | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

const UTM_ORDER = ['source', 'medium', 'campaign', 'content', 'term'];

/** Names a campaign, such as `source=newsletter medium=email`; empty: none. */
export function nameCampaign(campaign: Record<string, string> | null | undefined): string {
  const values = new Map(
    Object.entries(campaign ?? {}).map(([key, value]) => [key.replace(/^utm_/, ''), value]),
  );
  return UTM_ORDER.flatMap((key) => (values.has(key) ? [`${key}=${values.get(key)}`] : [])).join(
    ' ',
  );
}

/** Time from the click to its sending, from two readings of the browser's clock. 0 if one of them is missing or wrong. */
export function delayOf(timestamp: string, sentAt: string | null | undefined): number {
  const delay = sentAt ? Date.parse(sentAt) - Date.parse(timestamp) : 0;
  return delay > 0 ? delay : 0;
}
