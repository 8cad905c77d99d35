import { isCtaEvent } from '#contract/cta.ts';
import type { ClickRow } from './click-index.ts';

/** Counts events that are not on this server's list. One counter for all, so that invented names cannot fill the index. */
const UNKNOWN_EVENT = 'unknown';

/** How many fresh clicks a group brings to each counter; nearly always one counter or two. */
export function countRows(rows: readonly ClickRow[], fresh: readonly boolean[]) {
  const counts: { day: string; event: string; isBot: boolean; n: number }[] = [];
  for (const [i, { day, isBot, event: name }] of rows.entries()) {
    if (!fresh[i]) continue;
    const event = isCtaEvent(name) ? name : UNKNOWN_EVENT;
    const same = counts.find((c) => c.event === event && c.day === day && c.isBot === isBot);
    if (same) same.n += 1;
    else counts.push({ day, event, isBot, n: 1 });
  }
  return counts;
}
