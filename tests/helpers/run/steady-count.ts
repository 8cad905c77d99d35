/** Waits for a number of entries, and fails if one too many arrives. */
import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 60_000;
const POLL_MS = 25;
/** The list is complete when it has not changed for this time. A doubled click arrives within milliseconds. */
const STEADY_MS = 250;

/**
 * @returns the list, when it has had exactly `count` entries for STEADY_MS
 * @throws when there are more entries, or too few after a minute
 */
export async function steadyCount<T>(
  read: () => T[],
  count: number,
  what = 'entries',
): Promise<T[]> {
  const end = Date.now() + LIMIT_MS;
  for (let since = Number.POSITIVE_INFINITY; ; await delay(POLL_MS)) {
    const list = read();
    const now = Date.now();
    if (list.length > count) throw new Error(`${list.length} ${what}, not ${count}`);
    if (list.length < count && now > end)
      throw new Error(`Only ${list.length} ${what} of ${count}`);
    if (list.length === count) since = Math.min(since, now);
    if (now - since >= STEADY_MS) return list;
  }
}
