/**
 * A tombstone: what stays in the ledger of a click that was forgotten on request. Its id keeps a browser's repetition from
 * counting again, and its event and day keep the statistics as they were. It has nothing of the visitor.
 */
import type { z } from 'zod';
import { tombstoneSchema } from '#contract/click-line.schema.ts';

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
