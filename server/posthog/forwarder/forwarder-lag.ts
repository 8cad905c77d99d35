/** How far the forwarder is behind the ledger, for the metrics. */
import type { LedgerPosition } from '../../clicks/ledger/ledger.ts';
import { linesAfter } from '../../clicks/ledger/lines-after.ts';
import { parseLine } from '../../clicks/ledger/parse-line.ts';

interface Parts {
  path: string;
  /** The position that the forwarder has dealt with. */
  known: LedgerPosition | null;
  end: LedgerPosition;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Returns the age of the oldest click that the forwarder has not dealt with, in milliseconds; 0: there is none. It also deals with
 * clicks that browsers have reported, a minute after their arrival, so a minute is normal.
 */
export async function forwarderLagMs({ path, known, end, now }: Parts): Promise<number> {
  for await (const lines of linesAfter(path, known, end, () => {})) {
    for (const { text } of lines) {
      const line = parseLine(text);
      if (line) return Math.max(0, now - Date.parse(line.received_at));
    }
  }
  return 0;
}
