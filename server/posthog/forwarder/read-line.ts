/** Reads a click from a line of the ledger: the fields that decide about its event, and those that the event has. */
import { z } from 'zod';

const lineSchema = z.object({
  id: z.uuid(),
  visit_id: z.string().nullable(),
  event: z.string(),
  referrer: z.string().nullable(),
  timestamp: z.string(),
  page_url: z.string(),
  user_agent: z.string(),
  is_bot: z.boolean(),
  received_at: z.iso.datetime({ precision: 3 }),
  remote_ip: z.string().nullish(),
  private: z.boolean().optional(),
  campaign: z.record(z.string(), z.string()).optional().catch(undefined),
  referring_domain: z.string().optional().catch(undefined),
  screen_class: z.string().optional().catch(undefined),
});
export type LedgerLine = z.infer<typeof lineSchema>;

/** @returns null if the line is not a click */
export function readLine(line: string): LedgerLine | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
