/**
 * Reads the counts from the database, and looks at each day since the last look, and at today's
 * hours.
 */
import type { Reader } from '../../database/open-reader.ts';
import type { Change } from './change.ts';
import { makeTable, range, type Table } from './counts.ts';
import { explainPeriod, LENGTHS, type PeriodFacts } from './explain-period.ts';
import { findHole, findHoles, type Hole } from './find-hole.ts';
import { lookAt } from './look-at.ts';
import type { MailedChange } from './mailed-changes.ts';
import { DAYS_OF_HOURS, readCounts, readHours } from './read-counts.ts';

/** The engine's memory from one look to the next (JSON in the database). */
export interface Memory {
  /** The last day that was looked at: 2026-01-31. */
  day: string;
  /** The changes that alerts have mailed. */
  told: MailedChange[];
  /**
   * Facts of the 7, 30 and 90 days until then. Absent: those in the database are of the same day.
   */
  facts?: PeriodFacts[];
}

/** The order to the process that looks for news. */
export interface NewsOrder {
  timeZone: string;
  /** The last day that is over. Looks go up to it. */
  day: string;
  /** null: the first look. What it finds is remembered, and no news. */
  memory: Memory | null;
  /** Milliseconds since 1970. */
  now: number;
}

/** The answer of the process that looks for news. */
export interface News {
  /** New changes, and mailed falls that have ended. */
  changes: Change[];
  over: Change[];
  memory: Memory;
  /** The hole that goes on; null: none. */
  hole: Hole | null;
}

/** Upper bound for the days that one call looks at: the first one, or one after a pause. */
const MOST_DAYS = 60;

/** Looks for a hole, and at each day since the last look, and explains the periods until then. */
export async function readNews(reader: Reader, order: NewsOrder): Promise<News> {
  const hole = findHole(await readHours(reader, order.timeZone, order.now));
  const { memory, day } = order;
  if (memory && memory.day >= day) return { changes: [], over: [], memory, hole };
  const table = makeTable(await readCounts(reader, order.timeZone, day));
  const news = lookDaily(table, day, memory);
  const { told } = news.memory;
  const holes = findHoles(await readHoursUntil(reader, order.timeZone, day));
  const last = table.days.indexOf(day);
  const facts = LENGTHS.map((length) => explainPeriod(table, last, length, { told, holes }));
  return { ...news, memory: { ...news.memory, facts }, hole };
}

/**
 * Reads the hours of the longest period, and of the four weeks before it, which say what is usual.
 */
function readHoursUntil(reader: Reader, timeZone: string, day: string) {
  const end = Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone);
  const days = Math.max(...LENGTHS) + DAYS_OF_HOURS;
  return readHours(reader, timeZone, end.epochMilliseconds, days);
}

/** Looks at each day after the last look, in order. @param day the last day to look at */
export function lookDaily(table: Table, day: string, memory: Memory | null): Omit<News, 'hole'> {
  const last = table.days.indexOf(day);
  const lastLook = memory === null ? -1 : table.days.indexOf(memory.day);
  const [changes, over]: [Change[], Change[]] = [[], []];
  let told = memory?.told ?? [];
  for (const dayIndex of range(Math.max(lastLook + 1, last - MOST_DAYS + 1, 0), last)) {
    const date = table.days[dayIndex] ?? '';
    // A hole of this morning may have been mailed before yesterday is looked at. The look at
    // yesterday must not know it.
    const later = told.filter(({ since }) => since > date);
    const look = lookAt(
      table,
      dayIndex,
      told.filter(({ since }) => since <= date),
    );
    told = [...look.told, ...later];
    changes.push(...look.changes);
    over.push(...look.over);
  }
  const next = { day, told };
  return memory === null
    ? { changes: [], over: [], memory: next }
    : { changes, over, memory: next };
}
