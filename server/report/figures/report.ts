/** Joins the figures of a period and of the one before to the tables of the report. Pure. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { isOneTypoApart } from '#contract/is-one-typo-apart.ts';
import type { KnownLink } from '../../links/known-links.ts';
import { dateOf, dateTimeOf, type Question, SOURCE_DIMENSIONS } from '../question.ts';
import { busiestOf } from './busiest.ts';
import { addUp, type Counts, noCounts, type Table } from './figures.ts';
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

export type Row = ReturnType<typeof rowsOf>[number];
export type Column = ReturnType<typeof columnsOf>[number];

interface Facts extends BothFigures {
  question: Question;
  links: readonly KnownLink[];
  notes: (Note & { id: string })[];
  /** Milliseconds since 1970. */
  readAt: number;
  tookMs: number;
}

export type Report = ReturnType<typeof makeReport>;

export function makeReport({ links, ...facts }: Facts, site: BuiltSite) {
  const { question, now, before, readAt } = facts;
  const linkOf = nearestLink(links);
  const tableOf = (name: TableName): Row[] =>
    rowsOf(name, facts, question.filters[name])
      .sort(orderOf(question, name))
      .map((row, i) => (name === 'ref' ? { ...row, ...linkOf(row, i < MOST_GUESSED) } : row));
  const tables = Object.fromEntries(TABLES.map((name) => [name, tableOf(name)]));
  const heat = heatOf(now.byHour);
  return {
    ...facts,
    site,
    /** Whether registrations are a figure: they have no link and no call to action. */
    hasRegistrations: site.registerForm && Object.keys(question.filters).length === 0,
    columns: columnsOf(question, now.byDay, before.byDay, readAt),
    tables: tables as Record<TableName, Row[]>,
    heat,
    busiest: busiestOf(heat, now.byDay, question),
    /** Of the newest visit or click; null: none has come. */
    lastDay: now.lastAt === null ? null : String(dateOf(now.lastAt, question.timeZone)),
  };
}

/** @param filtered the value that the page is filtered by: it has a row, also without visits */
function rowsOf(name: TableName, { now, before }: BothFigures, filtered?: string) {
  const rows = new Map(Object.entries(now.tables[name]));
  const former = before.tables[name];
  // What is among the others now has no row of its own.
  const groupOf = (key: string) => (rows.has(OTHERS) && !rows.has(key) ? OTHERS : key);
  const groups = new Set(Object.keys(former).map(groupOf));
  const sumBefore = sumUp(former, groupOf);
  const missing = Object.hasOwn(former, OTHERS) ? null : noCounts();
  const keys = new Set([...rows.keys(), ...groups, ...(filtered ? [filtered] : [])]);
  return [...keys].map((key) => ({
    /** The value to filter by; NONE: it has none; OTHERS: the smallest rows of a long table. */
    key,
    ...describeValue(name, key),
    now: rows.get(key) ?? noCounts(),
    /** null: it may be among the smallest rows of the period before. */
    before: groups.has(key) ? sumBefore(key) : missing,
  }));
}

function orderOf({ isShared, sort }: Question, name: TableName) {
  // The order of a shared table must not tell which hidden figure is larger.
  if (isShared) return (a: Row, b: Row) => a.name.localeCompare(b.name);
  const figureOf: Record<Question['sort'], (row: Row) => number> = {
    clicks: ({ now }) => now.clicks,
    visits: ({ now }) => now.visits,
    rate: ({ now }) => rateOf(now) ?? -1,
    change: ({ now, before }) => now.clicks - (before?.clicks ?? 0),
  };
  const isSource = SOURCE_DIMENSIONS.some((source) => source === name);
  const orders = [figureOf[isSource ? sort : 'clicks'], figureOf.clicks, figureOf.visits];
  return (a: Row, b: Row) =>
    orders.reduce((found, order) => found || order(b) - order(a), 0) ||
    a.name.localeCompare(b.name);
}

/**
 * Rows that a page shows. For each other one, a stranger could make the server compare it with all
 * links.
 */
const MOST_GUESSED = 50;

/** Names the link of a ref, or of the ref that somebody meant. */
function nearestLink(links: readonly KnownLink[]) {
  const known = new Map(links.map((link) => [link.key, link]));
  return ({ key, name }: Row, mayGuess: boolean): Pick<Row, 'name' | 'code'> => {
    if (key === NONE) return { name, code: 'no ref' };
    if (key === OTHERS || key === NOT_KEPT || known.size === 0) return { name, code: '' };
    const link = known.get(key);
    if (link) return { name: link.name, code: link.ref };
    const near = mayGuess ? links.find((one) => isOneTypoApart(one.key, key)) : undefined;
    return { name: `Not in the list${near ? `; nearest is ${near.ref}` : ''}`, code: key };
  };
}

/**
 * Makes a column for each day of the period, or for each hour of its one day, beside the same one
 * of the period before. Days of another weekday than the filtered one have none.
 */
function columnsOf(question: Question, now: Table, before: Table, readAt: number) {
  const { from, length, shift, timeZone, filters } = question;
  const keyLength = length === 1 ? '2026-11-05T14'.length : '2026-11-05'.length;
  const keyOf = (at: Temporal.ZonedDateTime | Temporal.PlainDateTime) =>
    String(at).slice(0, keyLength);
  const current = keyOf(dateTimeOf(readAt, timeZone));
  const start = Temporal.PlainDate.from(from).toZonedDateTime(timeZone);
  const unit = length === 1 ? 'hours' : 'days';
  const n = length === 1 ? Math.round(start.hoursInDay) : length;
  const times = Array.from({ length: n }, (_, i) => start.add({ [unit]: i }));
  const isShown = ({ dayOfWeek }: Temporal.ZonedDateTime) =>
    length === 1 || !filters.weekday || WEEKDAYS[dayOfWeek - 1] === filters.weekday;
  // Where the clocks go back, one hour comes twice.
  return [...new Set(times.filter(isShown).map(keyOf))].map((key) => {
    const keyBefore = keyOf(Temporal.PlainDateTime.from(key).subtract({ days: shift }));
    return {
      /** `2026-11-05` or `2026-11-05T14`, and the same of the period before. */
      key,
      keyBefore,
      /** Whether it has begun and not ended, or not begun. */
      isSoFar: key === current,
      isAhead: key > current,
      now: now[key] ?? noCounts(),
      before: before[keyBefore] ?? noCounts(),
    };
  });
}

/** Adds up the rows of a group. */
function sumUp(table: Table, groupOf: (key: string) => string): (group: string) => Counts {
  const groups = Map.groupBy(Object.entries(table), ([key]) => groupOf(key));
  return (group) => addUp(groups.get(group)?.map(([, counts]) => counts) ?? []);
}

/** Clicks by weekday, two hours a cell. */
export type Heat = ReturnType<typeof heatOf>;

const heatOf = (byHour: Table) =>
  WEEKDAYS.map((key) => ({
    key,
    name: describeValue('weekday', key).name,
    cells: Array.from({ length: 12 }, (_, i) => byHour[`${key} ${2 * i}`]?.clicks ?? 0),
  }));
