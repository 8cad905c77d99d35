/** Joins the figures of a period and of the one before to the tables of the report. Pure. */
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { editDistance } from '#contract/nearest-word.ts';
import type { KnownLink } from '../links/known-links.ts';
import {
  type Dimension,
  describeValue,
  NONE,
  OTHERS,
  TABLES,
  type TableName,
  WEEKDAYS,
} from './dimensions.ts';
import { addUp, type Counts, noCounts, type Table } from './figures.ts';
import type { Column, Note, Row } from './model.ts';
import { rateOf } from './numbers.ts';
import { dateOf, type Question } from './question.ts';
import type { BothFigures } from './read-report.ts';

interface Facts extends BothFigures {
  question: Question;
  /** The figures without the filter of one dimension. */
  own: Partial<Record<Dimension, BothFigures>>;
  links: readonly KnownLink[];
  notes: Note[];
  /** Milliseconds since 1970. */
  readAt: number;
  tookMs: number;
}

export type Report = ReturnType<typeof makeReport>;

export function makeReport({ own, links, ...facts }: Facts, site: BuiltSite) {
  const { question, now, before, readAt } = facts;
  const { timeZone } = question;
  const linkOf = nearestLink(links);
  const tableOf = (name: TableName): Row[] =>
    rowsOf(
      name,
      (own[name] ?? facts).now.tables[name],
      (own[name] ?? facts).before.tables[name],
      [question.filters[name] ?? []].flat(),
    )
      .sort(orderOf(question, name))
      .map((row, i) => (name === 'ref' ? { ...row, ...linkOf(row, i < MOST_GUESSED) } : row));
  const heat = heatOf((own.weekday ?? facts).now.byHour);
  const { since, clicks: waiting } = now.waiting;
  return {
    ...facts,
    productName: site.mail.productName,
    /** Whether registrations are a figure: they have no link and no call to action. */
    hasRegistrations: site.registerForm && Object.keys(question.filters).length === 0,
    columns: columnsOf(question, now.byHour, before.byHour, readAt),
    tables: Object.fromEntries(TABLES.map((name) => [name, tableOf(name)])) as Record<
      TableName,
      Row[]
    >,
    ...{ heat, busiest: busiestOf(heat, question) },
    /** null: there is no PostHog. */
    posthog:
      site.posthogKey === null
        ? null
        : { waiting, oldestMs: since && readAt - since, withheld: now.privateClicks },
    clockChange: clockChangeOf(question),
    /** Of the newest visit or click; null: none has come. */
    lastDay:
      now.visits + now.clicks > 0
        ? question.to
        : now.lastAt === null
          ? null
          : String(dateOf(now.lastAt, timeZone)),
    /** Of this report, for paper. */
    address: `${site.siteUrl.replace(/^https?:\/\//, '')}/report`,
  };
}

/** Strangers choose the keys, and `constructor` is one of every object. */
const countsOf = (table: Table, key: string): Counts | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** @param filtered the value that the page is filtered by: it has a row, also without visits */
function rowsOf(name: TableName, now: Table, before: Table, filtered: string[]): Row[] {
  // What is among the others now has no row of its own.
  const former = Object.keys(before).filter((key) => !Object.hasOwn(now, key));
  const joined = OTHERS in now ? former : [];
  const others = joined.map((key) => before[key] as Counts);
  const keys = new Set([...Object.keys(now), ...Object.keys(before), ...filtered]).difference(
    new Set(joined),
  );
  return [...keys].map((key) => {
    const earlier = countsOf(before, key) ?? (OTHERS in before ? null : noCounts());
    return {
      ...{ key, ...describeValue(name, key) },
      now: countsOf(now, key) ?? noCounts(),
      before: key === OTHERS ? addUp([earlier ?? noCounts(), ...others]) : earlier,
    };
  });
}

function orderOf({ isShared, sort }: Question, name: TableName) {
  const byClicks = (a: Row, b: Row) =>
    b.now.clicks - a.now.clicks || b.now.visits - a.now.visits || a.name.localeCompare(b.name);
  // The order of a shared table must not tell which hidden figure is larger.
  if (isShared) return (a: Row, b: Row) => a.name.localeCompare(b.name);
  const figureOf: Record<Question['sort'], (row: Row) => number> = {
    clicks: ({ now }) => now.clicks,
    visits: ({ now }) => now.visits,
    rate: ({ now }) => rateOf(now) ?? -1,
    change: ({ now, before }) => now.clicks - (before?.clicks ?? 0),
  };
  if (!['ref', 'campaign', 'class'].includes(name)) return byClicks;
  return (a: Row, b: Row) => figureOf[sort](b) - figureOf[sort](a) || byClicks(a, b);
}

/** Rows that a page shows. For each other one, a stranger could make the server compare it with all links. */
const MOST_GUESSED = 50;

/** Names the link of a ref, or of the ref that somebody meant. */
function nearestLink(links: readonly KnownLink[]) {
  const names = new Map(links.map(({ ref, name }) => [ref, name]));
  return ({ key, name }: Row, mayGuess: boolean): Pick<Row, 'name' | 'code'> => {
    if (key === NONE) return { name, code: 'no ref' };
    if (key === OTHERS || names.size === 0) return { name, code: '' };
    const known = names.get(key);
    if (known !== undefined) return { name: known, code: key };
    const isNear = ({ ref }: KnownLink) =>
      Math.abs(ref.length - key.length) <= 1 && editDistance(ref, key) === 1;
    const near = mayGuess ? links.find(isNear) : undefined;
    return { name: `Not in the list${near ? `; nearest is ${near.ref}` : ''}`, code: key };
  };
}

/**
 * Makes a column for each day of the period, or for each hour of its one day, beside the same one of the period before. Days of
 * another weekday than the filtered one have none.
 */
function columnsOf(question: Question, now: Table, before: Table, readAt: number): Column[] {
  const { from, length, timeZone, filters } = question;
  const keyLength = length === 1 ? '2026-11-05T14'.length : '2026-11-05'.length;
  const clock = Temporal.Instant.fromEpochMilliseconds(readAt).toZonedDateTimeISO(timeZone);
  const current = String(clock.toPlainDateTime()).slice(0, keyLength);
  const [sumOf, sumBefore] = [sumUp(now, keyLength), sumUp(before, keyLength)];
  const first = Temporal.PlainDate.from(from);
  const times =
    length === 1
      ? hoursOf(first, timeZone)
      : Array.from({ length }, (_, i) => first.add({ days: i }).toPlainDateTime());
  const isShown = ({ dayOfWeek }: Temporal.PlainDateTime) =>
    length === 1 || (filters.weekday ?? WEEKDAYS[dayOfWeek - 1]) === WEEKDAYS[dayOfWeek - 1];
  return times.filter(isShown).map((at) => {
    const key = String(at).slice(0, keyLength);
    const keyBefore = String(at.subtract({ days: length })).slice(0, keyLength);
    return {
      ...{ key, keyBefore, isSoFar: key === current, isAhead: key > current },
      now: sumOf(key),
      before: sumBefore(keyBefore),
    };
  });
}

/** The hours that a day's clocks show: where they change, one is missing or comes twice. */
function hoursOf(day: Temporal.PlainDate, timeZone: string): Temporal.PlainDateTime[] {
  const start = day.toZonedDateTime(timeZone);
  const all = Array.from({ length: Math.round(start.hoursInDay) }, (_, i) =>
    start.add({ hours: i }).toPlainDateTime(),
  );
  return all.filter(({ hour }, i) => hour !== all[i - 1]?.hour);
}

/** Adds up the hours whose keys begin alike. */
function sumUp(hours: Table, keyLength: number): (key: string) => Counts {
  const groups = Map.groupBy(Object.entries(hours), ([hour]) => hour.slice(0, keyLength));
  return (key) => addUp(groups.get(key)?.map(([, counts]) => counts) ?? []);
}

/** Clicks by weekday, two hours a cell. */
function heatOf(hours: Table) {
  const rows = WEEKDAYS.map((key) => ({
    ...{ key, name: describeValue('weekday', key).name, cells: Array<number>(12).fill(0) },
  }));
  for (const [hour, { clicks }] of Object.entries(hours)) {
    const { dayOfWeek } = Temporal.PlainDate.from(hour.slice(0, 10));
    const cells = rows[dayOfWeek - 1]?.cells as number[];
    const place = Math.floor(Number(hour.slice(11)) / 2);
    cells[place] = (cells[place] ?? 0) + clicks;
  }
  return rows;
}

/** The two hours with the most clicks per day, because a period may have five Mondays and four Sundays. */
function busiestOf(heat: ReturnType<typeof heatOf>, { from, length }: Question) {
  const first = Temporal.PlainDate.from(from);
  const daysOf = (weekday: number) =>
    Math.ceil((length - ((weekday + 7 - (first.dayOfWeek - 1)) % 7)) / 7);
  const all = heat.flatMap(({ name, cells }, weekday) =>
    cells.map((clicks, i) => ({ name, i, mean: clicks && clicks / daysOf(weekday) })),
  );
  const best = all.reduce((one, other) => (other.mean > one.mean ? other : one));
  if (best.mean === 0) return null;
  const clock = (hour: number) => ({
    hour: hour % 12 || 12,
    half: hour % 24 < 12 ? 'am' : 'pm',
  });
  const [start, end] = [clock(2 * best.i), clock(2 * best.i + 2)];
  const begin = start.half === end.half ? start.hour : `${start.hour} ${start.half}`;
  return { weekday: `${best.name}s`, hours: `${begin} to ${end.hour} ${end.half}` };
}

/** Says which days of the period have 23 or 25 hours. */
function clockChangeOf({ from, length, timeZone }: Question): string {
  const first = Temporal.PlainDate.from(from);
  const says = Array.from({ length }, (_, days) => {
    const day = first.add({ days });
    const hours = day.toZonedDateTime(timeZone).hoursInDay;
    if (hours === 24) return [];
    const name = day.toLocaleString('en-US', { month: 'long', day: 'numeric' });
    return `${name} has ${hours} hours, because the clocks went ${hours > 24 ? 'back' : 'forward'}.`;
  });
  return says.flat().join(' ');
}
