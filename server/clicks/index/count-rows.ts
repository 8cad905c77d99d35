import { isCtaEvent } from '#contract/cta.ts';
import type { ClickRow } from './click-index.ts';

/** One counter for all events that this server does not know, so that invented names cannot fill the index. */
const UNKNOWN_EVENT = 'unknown';

/** Returns the name of the event's counter. Everything that compares with the index counts by it. */
export const counterOf = (event: string): string => (isCtaEvent(event) ? event : UNKNOWN_EVENT);

/** Returns the number of fresh clicks for each counter. A group nearly always has one or two counters. */
export function countRows(rows: readonly ClickRow[], fresh: readonly boolean[]) {
  const counts: { day: string; event: string; isBot: boolean; n: number }[] = [];
  for (const [i, { day, isBot, event: name }] of rows.entries()) {
    if (!fresh[i]) continue;
    const event = counterOf(name);
    const same = counts.find((c) => c.event === event && c.day === day && c.isBot === isBot);
    if (same) same.n += 1;
    else counts.push({ day, event, isBot, n: 1 });
  }
  return counts;
}
