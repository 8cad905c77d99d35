/** Reads the counts, and looks at each day since the last look, and at the hours of today. */
import type { Reader } from '../../database/open-reader.ts';
import type { Change } from './change.ts';
import { makeTable, range, type Table } from './counts.ts';
import { explainPeriod, LENGTHS, type PeriodFacts } from './explain-period.ts';
import { findHole, findHoles, type Hole } from './find-hole.ts';
import { lookAt } from './look-at.ts';
import type { Told } from './mailed-changes.ts';
import { DAYS_OF_HOURS, readCounts, readHours } from './read-counts.ts';

/** The memory between two looks. */
export interface Memory {
  /** The last day that was looked at: 2026-01-31. */
  day: string;
  told: Told[];
  /** What the report says of 7, 30 and 90 days until then. Absent: what is stored is as new. */
  facts?: PeriodFacts[];
}

export interface NewsOrder {
  timeZone: string;
  /** The last day that is over, and is to be looked at. */
  day: string;
  /** null: the first look. It knows older news from then on, and has none. */
  memory: Memory | null;
  /** Milliseconds since 1970. */
  now: number;
}

export interface News {
  changes: Change[];
  over: Change[];
  memory: Memory;
  hole: Hole | null;
}

/** Days that the first look looks at, and the most that are looked at after a pause. */
const MOST_DAYS = 60;

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

/** The hours of the longest period, and of the four weeks before it, which say what is usual. */
function readHoursUntil(reader: Reader, timeZone: string, day: string) {
  const end = Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(timeZone);
  const days = Math.max(...LENGTHS) + DAYS_OF_HOURS;
  return readHours(reader, timeZone, end.epochMilliseconds, days);
}

/** Looks at the days after the last look, in their order. */
export function lookDaily(table: Table, day: string, memory: Memory | null): Omit<News, 'hole'> {
  const last = table.days.indexOf(day);
  const looked = memory === null ? -1 : table.days.indexOf(memory.day);
  const [changes, over]: [Change[], Change[]] = [[], []];
  let told = memory?.told ?? [];
  for (const one of range(Math.max(looked + 1, last - MOST_DAYS + 1, 0), last)) {
    const date = table.days[one] ?? '';
    // A hole of this morning was told before yesterday is looked at.
    const later = told.filter(({ since }) => since > date);
    const look = lookAt(
      table,
      one,
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
