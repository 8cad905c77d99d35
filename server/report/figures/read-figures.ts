/**
 * Reads the figures of a period: one statement for each table of the report, and a few more. Ids of
 * clicks begin with their time (UUID v7), so the clicks of a period are one range of the primary
 * key, and the report needs no other index.
 */
import { IS_COUNTED } from '../../clicks/counted-rows.ts';
import type { Value } from '../../database/database.ts';
import type { Reader } from '../../database/open-reader.ts';
import { SECOND_MS } from '../../time.ts';
import { countTogether } from './count-together.ts';
import { type FigureName, figureQuery, MOST_ROWS, sumQuery, viewsQuery } from './figure-query.ts';
import {
  addUp,
  type Counts,
  type CountsByKey,
  emptyFigures,
  type Figures,
  noCounts,
} from './figures.ts';
import { readCompleteness } from './read-completeness.ts';
import { clicksOf, OTHERS, type Selection, TABLES, visitsOf } from './selection.ts';

/** Least time from a press to a second delivery: a browser tries again 5 s after a failure. */
const SECOND_DELIVERY_MS = 5 * SECOND_MS;

/**
 * Reads all figures of a report, with the largest rows of each table. Call `reader.freeze` first:
 * otherwise clicks that come meanwhile make the tables differ from each other.
 *
 * @param now milliseconds since 1970. null: the figures are those of the period before, which have
 * no hours, and do not say how complete they are
 * @throws (rejects with) an Error that says which figures could not be read, and why
 */
export async function readFigures(
  reader: Reader,
  { now, ...selection }: Selection & { now: number | null },
): Promise<Figures> {
  const figures = emptyFigures();
  const shown = TABLES.filter((table) => table !== 'site' || selection.hasSites);
  const names: FigureName[] = ['day', ...shown, ...(now === null ? [] : ['hour' as const])];
  const tables = await readTables(reader, names, selection);
  figures.byDay = tables.day ?? {};
  figures.byHour = tables.hour ?? {};
  const total = addUp(Object.values(figures.byDay));
  Object.assign(figures, total);
  for (const name of shown)
    figures.tables[name] = withFiltered(tables[name] ?? {}, selection.filters[name], total);
  const [views = 0, briefViews = 0] = await withName('views', countViews(reader, selection));
  Object.assign(figures, { views, briefViews });
  figures.registrations = await withName('registrations', countRegistrations(reader, selection));
  if (now === null) return figures;
  Object.assign(
    figures,
    await withName('robots and ways of delivery', readMarks(reader, selection)),
  );
  const completeness = readCompleteness(reader, selection, now);
  return Object.assign(figures, await withName('gaps and PostHog', completeness));
}

/** Adds the name of what is read to its error. */
const withName = <T>(what: string, reading: Promise<T>): Promise<T> =>
  reading.catch((cause: Error) => {
    throw new Error(`${what} could not be read: ${cause.message}`, { cause });
  });

type Tables = Partial<Record<FigureName, CountsByKey>>;

/**
 * Reads the tables by one statement each. With SQLite, short tables are counted together first
 * (count-together.ts).
 */
async function readTables(
  reader: Reader,
  names: readonly FigureName[],
  selection: Selection,
): Promise<Tables> {
  const tables: Tables =
    reader.kind === 'sqlite'
      ? await withName('the tables', countTogether(reader, names, selection))
      : {};
  for (const name of names)
    tables[name] ??= await withName(`the table "${name}"`, readTable(reader, name, selection));
  return tables;
}

/** A row of a table: its key, visits, clicks, and clicks whose visit is counted. */
type TableRow = [key: string, visits: number, clicks: number, rated: number];

/** Reads a table. The rows after MOST_ROWS become one row, `OTHERS`. */
async function readTable(
  reader: Reader,
  figure: FigureName,
  selection: Selection,
): Promise<CountsByKey> {
  const { sql, values } = figureQuery(figure, selection, reader.kind);
  const rows = await reader.all<TableRow>(sql, values);
  const table = Object.fromEntries(rows.map((row) => [row[0], countsOf(row)]));
  if (rows.length < MOST_ROWS) return table;
  const sum = sumQuery(figure, selection);
  const [all] = await reader.all<TableRow>(sum.sql, sum.values);
  const others = all ? subtract(countsOf(all), addUp(rows.map(countsOf))) : noCounts();
  return others.clicks + others.visits > 0 ? { ...table, [OTHERS]: others } : table;
}

/**
 * Adds the row by which the page is filtered, if it is one of the rows that OTHERS adds up.
 *
 * @param counts counts of that row, which are the totals of the filtered page
 */
function withFiltered(
  table: CountsByKey,
  filtered: string | undefined,
  counts: Counts,
): CountsByKey {
  const others = table[OTHERS];
  if (filtered === undefined || Object.hasOwn(table, filtered) || !others) return table;
  return { ...table, [filtered]: counts, [OTHERS]: subtract(others, counts) };
}

const countsOf = ([, visits, clicks, rated]: TableRow): Counts => ({ visits, clicks, rated });

const subtract = (all: Counts, part: Counts): Counts => ({
  visits: all.visits - part.visits,
  clicks: all.clicks - part.clicks,
  rated: all.rated - part.rated,
});

function countViews(reader: Reader, selection: Selection): Promise<number[]> {
  const { sql, values } = viewsQuery(selection);
  return readCounts(reader, sql, values);
}

const REGISTRATIONS = `SELECT COUNT(*)
FROM registrations
WHERE registered_at >= $1 AND registered_at < $2`;

async function countRegistrations(reader: Reader, { period }: Selection): Promise<number> {
  const [n = 0] = await readCounts(reader, REGISTRATIONS, [period.since, period.until]);
  return n;
}

const IS_INTERNAL = 'is_internal';
const IS_ROBOT = 'is_bot AND NOT is_internal';
const IS_AUTOMATED = 'is_automated AND NOT is_bot AND NOT is_internal';
/** SQL conditions of the clicks that `Figures.marks` counts. */
const MARKS = {
  fetch: "via = 'fetch'",
  beacon: "via = 'beacon'",
  ping: "via = 'ping'",
  late: `sent_at - clicked_at >= ${SECOND_DELIVERY_MS}`,
  private: 'is_private',
  scripted: 'is_scripted',
  unknown: 'NOT is_private AND NOT is_known',
  forgotten: 'NOT is_private AND is_known AND forgotten_at > 0',
};

/** Returns one SQL column for each condition, with the number of rows that meet it. */
const countWhere = (...conditions: string[]): string =>
  conditions.map((condition) => `COUNT(CASE WHEN ${condition} THEN 1 END)`).join(',\n  ');

/**
 * Counts what only operators read: robots, automated browsers, the team's own clicks and visits,
 * and the ways of delivery.
 */
async function readMarks(reader: Reader, selection: Selection) {
  // The mark is tested first. Most rows lack it, and the other conditions are then not evaluated.
  const marks = Object.values(MARKS).map((mark) => `${mark} AND ${IS_COUNTED}`);
  const ofClicks = clicksOf(selection);
  const clicks = await readCounts(
    reader,
    `SELECT ${countWhere(IS_INTERNAL, IS_ROBOT, IS_AUTOMATED, ...marks)}
FROM clicks
WHERE ${ofClicks.where}`,
    ofClicks.values,
  );
  const ofVisits = visitsOf(selection);
  const visits = await readCounts(
    reader,
    `SELECT ${countWhere(IS_INTERNAL, IS_ROBOT, IS_AUTOMATED)}
FROM visits
WHERE ${ofVisits.where}`,
    ofVisits.values,
  );
  const countsAt = (i: number) => ({ visits: visits[i] ?? 0, clicks: clicks[i] ?? 0, rated: 0 });
  const [internal, robots, automated, ...marked] = clicks.map((_, i) => countsAt(i));
  const names = Object.keys(MARKS);
  return {
    internal,
    robots,
    automated,
    marks: Object.fromEntries(names.map((name, i) => [name, marked[i]])),
  };
}

/** Reads a statement whose result is one row of counts. */
async function readCounts(reader: Reader, sql: string, values: Value[]): Promise<number[]> {
  const [row = []] = await reader.all<number[]>(sql, values);
  return row;
}
