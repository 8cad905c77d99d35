/** Counts events by day and by the verdict of their receipts, for a replay that sends nothing. */
import type { Verdict } from '../../server/posthog/receipts.ts';
import { number } from './tally.ts';

/** `none`: PostHog has never answered about the event. */
const COLUMNS = ['none', 'retry', 'accepted', 'warning', 'ok', 'drop'] as const;
type Column = (typeof COLUMNS)[number];

export interface Days {
  add(timestamp: string, verdict: Verdict | undefined): void;
  /** A table, the earliest day first, with a line of totals. */
  describe(): string;
}

export function createDays(): Days {
  const days = new Map<string, Map<Column, number>>();
  const count = (day: string, column: Column) => {
    const counts = days.get(day) ?? new Map<Column, number>();
    days.set(day, counts.set(column, (counts.get(column) ?? 0) + 1));
  };
  return {
    add(timestamp, verdict) {
      count(timestamp.slice(0, 10), verdict ?? 'none');
      count('total', verdict ?? 'none');
    },
    describe() {
      const rows = [...days]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, counts]) => [day, ...COLUMNS.map((column) => number(counts.get(column) ?? 0))]);
      return [['day', ...COLUMNS], ...rows]
        .map(([day = '', ...cells]) => day.padEnd(10) + cells.map((c) => c.padStart(12)).join(''))
        .map((line) => `${line}\n`)
        .join('');
    },
  };
}
