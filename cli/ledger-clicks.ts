/** The clicks of the ledger and its rotated files, oldest first; lines that are no click are passed over. */
import { z } from 'zod';
import { ledgerFiles, readLedger } from '../server/clicks/read-ledger.ts';

const lineSchema = z.object({
  id: z.uuid(),
  visit_id: z.string().nullable(),
  event: z.string(),
  referrer: z.string().nullable(),
  timestamp: z.string(),
  page_url: z.string(),
  user_agent: z.string(),
  is_bot: z.boolean(),
  received_at: z.string(),
});
export type LedgerClick = z.infer<typeof lineSchema>;

/** @throws an Error when there is no ledger */
export async function* ledgerClicks(path: string): AsyncGenerator<LedgerClick> {
  const files = ledgerFiles(path);
  if (files.length === 0) throw new Error(`There is no ledger at ${path}. Is DATA_DIR right?`);
  for (const file of files) {
    for await (const { lines } of readLedger(file)) {
      for (const line of lines) {
        const click = readLine(line);
        if (click) yield click;
      }
    }
  }
}

function readLine(line: string): LedgerClick | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
