/** Finds when most clicks come, unless a single day decides it. Pure functions. */
import type { Question } from '../question.ts';
import type { CountsByKey } from './figures.ts';
import type { Heat } from './report.ts';

/** Days of a week. In a longer period a weekday may come more than once. */
const WEEK_DAYS = 7;

/** The clicks of two hours of a weekday, over the whole period. */
interface Cell {
  /** 0: Monday. */
  weekday: number;
  /** Name of the weekday. */
  name: string;
  /** Index of the two hours: 0 is from midnight to 2 am. */
  hours: number;
  clicks: number;
  /** Number of days of this weekday in the period: it may have five Mondays and four Sundays. */
  days: number;
  /** Clicks of the busiest day of this weekday. */
  largest: number;
}

/**
 * Finds the weekday and the two hours with the most clicks per day. They are named only if they
 * would still have the most without the busiest day of that weekday.
 *
 * @param byDay counts by `2026-11-05`, or by hour of one day
 * @returns "come on Mondays from 6 to 8 am"; "come on Mondays" if only the weekday passes the test;
 * for a week at most "came on Monday from …", without a test; null: no clicks, or nothing passes
 */
export function busiestOf(heat: Heat, byDay: CountsByKey, question: Question): string | null {
  const cells = cellsOf(heat, byDay, question);
  const best = busiestCell(cells);
  if (!best || best.clicks === 0) return null;
  const hours = hoursInWords(best.hours);
  if (question.length <= WEEK_DAYS) return `came on ${best.name} from ${hours}`;
  if (isLargestWithoutDay(cells, best)) return `come on ${best.name}s from ${hours}`;
  const weekdays = joinByWeekday(cells);
  const busiest = busiestCell(weekdays);
  const isTypical = busiest && weekdays.length > 1 && isLargestWithoutDay(weekdays, busiest);
  return isTypical ? `come on ${busiest.name}s` : null;
}

/** Makes a cell for each two hours of each weekday, 84 without a filter. */
function cellsOf(heat: Heat, byDay: CountsByKey, { from, length, filters }: Question): Cell[] {
  const first = Temporal.PlainDate.from(from);
  return heat.flatMap(({ key, name, cells }, weekday) => {
    if ((filters.weekday ?? key) !== key) return [];
    const offset = (weekday + WEEK_DAYS - (first.dayOfWeek - 1)) % WEEK_DAYS;
    const days = Math.ceil((length - offset) / WEEK_DAYS);
    const daysOfWeekday = Array.from({ length: Math.max(0, days) }, (_, i) =>
      String(first.add({ days: offset + WEEK_DAYS * i })),
    );
    const largest = Math.max(0, ...daysOfWeekday.map((day) => byDay[day]?.clicks ?? 0));
    return cells.map((clicks, hours) => ({ weekday, name, hours, clicks, days, largest }));
  });
}

/** Joins the cells of each weekday into one cell. */
const joinByWeekday = (cells: readonly Cell[]): Cell[] =>
  [...Map.groupBy(cells, ({ weekday }) => weekday).values()].flatMap(([cell, ...others]) =>
    cell
      ? [{ ...cell, clicks: others.reduce((sum, { clicks }) => sum + clicks, cell.clicks) }]
      : [],
  );

/**
 * Whether a cell has the highest mean without its weekday's busiest day. All clicks of that day are
 * subtracted, because all of them may have come in these hours.
 */
function isLargestWithoutDay(cells: readonly Cell[], cell: Cell): boolean {
  const clicks = cell.clicks - Math.min(cell.clicks, cell.largest);
  const mean = clicks / Math.max(1, cell.days - 1);
  return cells.every((other) => other === cell || meanOf(other) < mean);
}

/** Returns the clicks per day. */
const meanOf = ({ clicks, days }: Cell): number => clicks / Math.max(1, days);
const busiestCell = (cells: readonly Cell[]): Cell | undefined =>
  cells.toSorted((a, b) => meanOf(b) - meanOf(a))[0];

function hoursInWords(hours: number): string {
  const start = new Temporal.PlainTime(2 * hours);
  const range = new Intl.DateTimeFormat('en-US', { hour: 'numeric' });
  const words = range.formatRange(start, start.add({ hours: 2 })).replace('–', 'to');
  return words.replace(/\s/g, ' ').toLowerCase();
}
