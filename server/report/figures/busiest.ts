/** Says when most clicks come, if that does not rest on a single day. Pure. */
import type { Question } from '../question.ts';
import type { Table } from './figures.ts';
import type { Heat } from './report.ts';

/** In a longer period each weekday comes more than once. */
const WEEK = 7;

interface Cell {
  weekday: number;
  name: string;
  /** Two hours of the day: 0 is from midnight to 2 am. */
  hours: number;
  clicks: number;
  /** Days of this weekday in the period, which may have five Mondays and four Sundays. */
  days: number;
  /** Clicks of the one of these days that has most. */
  largest: number;
}

/**
 * The two hours with the most clicks per day.
 *
 * @param byDay by `2026-11-05`, or by hour of one day
 * @returns "come on Mondays from 6 to 8 am", or "come on Mondays" if the hours would be others
 * without the largest day; of one week "came on Monday from …"; null: there are no clicks, or the
 * weekday would be another one without its largest day
 */
export function busiestOf(heat: Heat, byDay: Table, question: Question): string | null {
  const cells = cellsOf(heat, byDay, question);
  const best = busiestCell(cells);
  if (!best || best.clicks === 0) return null;
  const hours = hoursInWords(best.hours);
  if (question.length <= WEEK) return `came on ${best.name} from ${hours}`;
  if (isLargestWithoutDay(cells, best)) return `come on ${best.name}s from ${hours}`;
  const weekdays = weekdaysOf(cells);
  const busiest = busiestCell(weekdays);
  const holds = busiest && weekdays.length > 1 && isLargestWithoutDay(weekdays, busiest);
  return holds ? `come on ${busiest.name}s` : null;
}

function cellsOf(heat: Heat, byDay: Table, { from, length, filters }: Question): Cell[] {
  const first = Temporal.PlainDate.from(from);
  return heat.flatMap(({ key, name, cells }, weekday) => {
    if ((filters.weekday ?? key) !== key) return [];
    const offset = (weekday + WEEK - (first.dayOfWeek - 1)) % WEEK;
    const days = Math.ceil((length - offset) / WEEK);
    const own = Array.from({ length: Math.max(0, days) }, (_, i) =>
      String(first.add({ days: offset + WEEK * i })),
    );
    const largest = Math.max(0, ...own.map((day) => byDay[day]?.clicks ?? 0));
    return cells.map((clicks, hours) => ({ weekday, name, hours, clicks, days, largest }));
  });
}

/** Each weekday as one cell. */
const weekdaysOf = (cells: readonly Cell[]): Cell[] =>
  [...Map.groupBy(cells, ({ weekday }) => weekday).values()].flatMap(([cell, ...others]) =>
    cell
      ? [{ ...cell, clicks: others.reduce((sum, { clicks }) => sum + clicks, cell.clicks) }]
      : [],
  );

/** All clicks of the largest day are taken away, because they may have come in these hours. */
function isLargestWithoutDay(cells: readonly Cell[], one: Cell): boolean {
  const rest = (one.clicks - Math.min(one.clicks, one.largest)) / Math.max(1, one.days - 1);
  return cells.every((other) => other === one || meanOf(other) < rest);
}

const meanOf = ({ clicks, days }: Cell): number => clicks / Math.max(1, days);
const busiestCell = (cells: readonly Cell[]): Cell | undefined =>
  cells.toSorted((a, b) => meanOf(b) - meanOf(a))[0];

function hoursInWords(hours: number): string {
  const start = new Temporal.PlainTime(2 * hours);
  const range = new Intl.DateTimeFormat('en-US', { hour: 'numeric' });
  const words = range.formatRange(start, start.add({ hours: 2 })).replace('–', 'to');
  return words.replace(/\s/g, ' ').toLowerCase();
}
