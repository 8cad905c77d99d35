/** Bounds the events that wait for PostHog and are not clicks, so that strangers cannot fill the disk. */
import type { Database } from '../../database/database.ts';

/** About 50 MB. */
const MAX_WAITING = 50_000;
/** So few events wait only while PostHog takes them. */
const FEW = 0.02;
const RECOUNT_MS = 1000;
const WAITING =
  'SELECT COUNT(*) AS n FROM posthog_outbox WHERE event IS NOT NULL AND refused IS NULL';

/**
 * One address can fill a fifth of the room. Addresses are in memory alone, and only until PostHog has taken most events.
 *
 * @returns a function that says whether there is room for so many events of this address, and then counts them
 */
export function openRoom(db: Database, max = MAX_WAITING) {
  const ofAddress = new Map<string, number>();
  let waiting = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  const recount = async () => {
    countedAt = performance.now();
    const [row] = await db.read(WAITING);
    waiting = Number(row?.n);
    if (waiting < max * FEW || ofAddress.size > max) ofAddress.clear();
  };
  return async (address: string, events: number): Promise<boolean> => {
    if (events === 0) return true;
    if (performance.now() - countedAt >= RECOUNT_MS) await recount();
    const own = (ofAddress.get(address) ?? 0) + events;
    if (waiting + events > max || own > max / 5) return false;
    waiting += events;
    ofAddress.set(address, own);
    return true;
  };
}
