/** Finds lost clicks. A visit numbers its clicks 1, 2, 3 …, so a missing number before a later one is a lost click. */

/** A click of a visit that arrived. */
export interface NumberedClick {
  /** 1, 2, 3 … within the visit. */
  seq: number;
  /** UTC date of reception, `2026-01-31`. */
  day: string;
}

/**
 * Counts the clicks that are proven to be lost, by the day of the next click of their visit that arrived. A click that waits
 * in a browser's outbox counts as lost until it arrives. A lost last click leaves no gap.
 *
 * @param visits for each visit, its clicks in any order; a visit with one click and `seq` 1 may be missing
 */
export function countSeqGaps(
  visits: Iterable<readonly NumberedClick[]>,
): ReadonlyMap<string, number> {
  const lostPerDay = new Map<string, number>();
  for (const visit of visits) {
    let last = 0;
    for (const { seq, day } of [...visit].sort((a, b) => a.seq - b.seq)) {
      const lost = seq - last - 1;
      if (lost > 0) lostPerDay.set(day, (lostPerDay.get(day) ?? 0) + lost);
      last = seq;
    }
  }
  return lostPerDay;
}
