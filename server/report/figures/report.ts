/** Makes the tables of the report from the figures of a period and of the period before. Pure. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { isOneTypoApart } from '#contract/is-one-typo-apart.ts';
import type { KnownLink } from '../../links/known-links.ts';
import { dateOf, dateTimeOf, type Question, SOURCE_DIMENSIONS } from '../question.ts';
import { busiestOf } from './busiest.ts';
import { addUp, type Counts, type CountsByKey, noCounts } from './figures.ts';
import type { Note } from './notes.ts';
import { rateOf } from './numbers.ts';
import type { BothFigures } from './read-report.ts';
import {
  describeValue,
  NONE,
  NOT_KEPT,
  OTHERS,
  TABLES,
  type TableName,
  WEEKDAYS,
} from './selection.ts';

export type FigureRow = ReturnType<typeof rowsOf>[number];
export type Column = ReturnType<typeof columnsOf>[number];

/** Everything that a report is made from. */
interface ReportInput extends BothFigures {
  question: Question;
  links: readonly KnownLink[];
  notes: (Note & { id: string })[];
  /** When the figures were read, in milliseconds since 1970. */
  readAt: number;
  /** How long reading took, in milliseconds. */
  tookMs: number;
}

export type Report = ReturnType<typeof makeReport>;

/** Makes the report. */
export function makeReport({ links, ...input }: ReportInput, site: BuiltSite) {
  const { question, now, before, readAt } = input;
  const nameLinkOf = makeLinkNamer(links);
  const tableOf = (name: TableName): FigureRow[] =>
    rowsOf(name, input, question.filters[name])
      .sort(orderOf(question, name))
      .map((row, i) => (name === 'ref' ? { ...row, ...nameLinkOf(row, i < MOST_GUESSED) } : row));
  const tables = Object.fromEntries(TABLES.map((name) => [name, tableOf(name)]));
  const heat = heatOf(now.byHour);
  return {
    ...input,
    site,
    /**
     * Whether the report has registrations. They have no ref and no button, so no filter applies.
     */
    hasRegistrations: site.registerForm && Object.keys(question.filters).length === 0,
    columns: columnsOf(question, now.byDay, before.byDay, readAt),
    tables: tables as Record<TableName, FigureRow[]>,
    heat,
    busiest: busiestOf(heat, now.byDay, question),
    /** Day of the newest visit or click: 2026-01-31. null: none has come. */
    lastDay: now.lastAt === null ? null : String(dateOf(now.lastAt, question.timeZone)),
  };
}

/**
 * Makes the rows of a table, with their counts in the period before.
 *
 * @param filtered the value by which the page is filtered. It has a row, even without a visit
 */
function rowsOf(name: TableName, { now, before }: BothFigures, filtered?: string) {
  const rows = new Map(Object.entries(now.tables[name]));
  const countsBefore = before.tables[name];
  // A key of the period before whose row is now part of OTHERS is added to OTHERS there too.
  const groupOf = (key: string) => (rows.has(OTHERS) && !rows.has(key) ? OTHERS : key);
  const groups = new Set(Object.keys(countsBefore).map(groupOf));
  const sumBefore = makeGroupSum(countsBefore, groupOf);
  const missing = Object.hasOwn(countsBefore, OTHERS) ? null : noCounts();
  const keys = new Set([...rows.keys(), ...groups, ...(filtered ? [filtered] : [])]);
  return [...keys].map((key) => ({
    /** The value by which a reader can filter, or NONE or OTHERS (selection.ts). */
    key,
    ...describeValue(name, key),
    now: rows.get(key) ?? noCounts(),
    /** null: unknown, because the row may have been part of OTHERS in the period before. */
    before: groups.has(key) ? sumBefore(key) : missing,
  }));
}

/** Returns the comparison function of a table's rows. */
function orderOf({ isShared, sort }: Question, name: TableName) {
  // Sorted by name: an order by figures would reveal which of two hidden figures is larger.
  if (isShared) return (a: FigureRow, b: FigureRow) => a.name.localeCompare(b.name);
  const figureOf: Record<Question['sort'], (row: FigureRow) => number> = {
    clicks: ({ now }) => now.clicks,
    visits: ({ now }) => now.visits,
    rate: ({ now }) => rateOf(now) ?? -1,
    change: ({ now, before }) => now.clicks - (before?.clicks ?? 0),
  };
  const isSource = SOURCE_DIMENSIONS.some((source) => source === name);
  const orders = [figureOf[isSource ? sort : 'clicks'], figureOf.clicks, figureOf.visits];
  return (a: FigureRow, b: FigureRow) =>
    orders.reduce((found, order) => found || order(b) - order(a), 0) ||
    a.name.localeCompare(b.name);
}

/**
 * Number of rows for which the server looks for a similar link: those that the page shows. Each
 * look compares a ref with all links, and strangers can send any number of refs.
 */
const MOST_GUESSED = 50;

/** Makes a function that names the link of a row's ref, or the link whose code was mistyped. */
function makeLinkNamer(links: readonly KnownLink[]) {
  const linksByKey = new Map(links.map((link) => [link.key, link]));
  return ({ key, name }: FigureRow, mayGuess: boolean): Pick<FigureRow, 'name' | 'code'> => {
    if (key === NONE) return { name, code: 'no ref' };
    if (key === OTHERS || key === NOT_KEPT || linksByKey.size === 0) return { name, code: '' };
    const link = linksByKey.get(key);
    if (link) return { name: link.name, code: link.ref };
    const near = mayGuess
      ? links.find((candidate) => isOneTypoApart(candidate.key, key))
      : undefined;
    return { name: `Not in the list${near ? `; nearest is ${near.ref}` : ''}`, code: key };
  };
}

/**
 * Makes the columns of the chart: one for each day of the period, or for each hour if it has one
 * day, each with the corresponding counts of the period before. With the filter of a weekday, other
 * days have no column.
 */
function columnsOf(question: Question, now: CountsByKey, before: CountsByKey, readAt: number) {
  const { from, length, shift, timeZone, filters } = question;
  const keyLength = length === 1 ? '2026-11-05T14'.length : '2026-11-05'.length;
  const keyOf = (at: Temporal.ZonedDateTime | Temporal.PlainDateTime) =>
    String(at).slice(0, keyLength);
  const current = keyOf(dateTimeOf(readAt, timeZone));
  const start = Temporal.PlainDate.from(from).toZonedDateTime(timeZone);
  const unit = length === 1 ? 'hours' : 'days';
  const count = length === 1 ? Math.round(start.hoursInDay) : length;
  const times = Array.from({ length: count }, (_, i) => start.add({ [unit]: i }));
  const isShown = ({ dayOfWeek }: Temporal.ZonedDateTime) =>
    length === 1 || !filters.weekday || WEEKDAYS[dayOfWeek - 1] === filters.weekday;
  // When the clocks go back, two hours have the same key. A Set leaves one column.
  return [...new Set(times.filter(isShown).map(keyOf))].map((key) => {
    const keyBefore = keyOf(Temporal.PlainDateTime.from(key).subtract({ days: shift }));
    return {
      /**
       * `2026-11-05` or `2026-11-05T14`. `keyBefore`: the corresponding key of the period before.
       */
      key,
      keyBefore,
      /** Whether the day or hour has begun and not ended. `isAhead`: whether it has not begun. */
      isSoFar: key === current,
      isAhead: key > current,
      now: now[key] ?? noCounts(),
      before: before[keyBefore] ?? noCounts(),
    };
  });
}

/** Makes a function that adds up the rows of a group. @param groupOf returns the group of a key */
function makeGroupSum(
  table: CountsByKey,
  groupOf: (key: string) => string,
): (group: string) => Counts {
  const groups = Map.groupBy(Object.entries(table), ([key]) => groupOf(key));
  return (group) => addUp(groups.get(group)?.map(([, counts]) => counts) ?? []);
}

/** Clicks by weekday (seven rows), in cells of two hours (twelve a row). */
export type Heat = ReturnType<typeof heatOf>;

const heatOf = (byHour: CountsByKey) =>
  WEEKDAYS.map((key) => ({
    key,
    name: describeValue('weekday', key).name,
    cells: Array.from({ length: 12 }, (_, i) => byHour[`${key} ${2 * i}`]?.clicks ?? 0),
  }));
