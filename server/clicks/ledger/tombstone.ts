/**
 * A tombstone: what stays in the ledger of a click that was forgotten on request. Its id keeps a browser's repetition from
 * counting again, and its event and day keep the statistics as they were. It has nothing of the visitor.
 */
import { z } from 'zod';

const isoTime = z.iso.datetime({ precision: 3 });

export const tombstoneSchema = z.strictObject({
  id: z.uuid(),
  event: z.string(),
  received_at: isoTime,
  is_bot: z.boolean(),
  /** When the operator ran `clicks forget`. */
  forgotten_at: isoTime,
});
export type Tombstone = z.infer<typeof tombstoneSchema>;

/** @returns null for a line that is not a tombstone */
export function parseTombstone(line: string): Tombstone | null {
  if (!line.includes('"forgotten_at"')) return null;
  try {
    return tombstoneSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
