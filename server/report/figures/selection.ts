/**
 * Makes the SQL conditions and columns that select the clicks and visits of a report: its period,
 * its filters, and its dimensions, with days and hours in the team's time zone.
 */
import { CTAS } from '#contract/cta.ts';
import { JOIN } from '#words/en/landing.ts';
import { IS_COUNTED } from '../../clicks/counted-rows.ts';
import { lowestIdAt } from '../../clicks/id-time.ts';
import { UNKNOWN_EVENT } from '../../clicks/store-clicks.ts';
import type { Value } from '../../database/database.ts';
import { ID_AHEAD_MS, OLDEST_ID_MS } from '../../http/browser-clock.ts';
import { DAY_MS } from '../../time.ts';
import type { Question } from '../question.ts';

/** Dimensions of which the report has a table. */
export const TABLES = [
  'campaign',
  'class',
  'cta',
  'device',
  'language',
  'medium',
  'ref',
  'site',
  'source',
] as const;
export type TableName = (typeof TABLES)[number];
/** All dimensions by which a reader can filter. Each is a parameter of the page's address. */
export const DIMENSIONS = [...TABLES, 'weekday'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export type Filters = Partial<Record<Dimension, string>>;

/** Returns the filters without one of them. */
export const without = (filters: Filters, name: string): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([other]) => other !== name));

/** Key of the clicks and visits that have no value of a dimension. */
export const NONE = 'none';
/**
 * Key of the clicks and visits that had a value which the server did not store: a ref or a campaign
 * that could not be read. No stored value begins with this sign.
 */
export const NOT_KEPT = '?';
/**
 * Key of the row that adds up the smallest rows of a long table. No stored text has this character.
 */
export const OTHERS = '\0';

/** Keys of the weekdays, Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Returns SQL for the value of a column, and NONE for an empty one or NULL. For both databases. */
const textOf = (column: string) => `COALESCE(NULLIF(${column}, ''), '${NONE}')`;
/** As `textOf`, for columns in which an empty text means a value that was not stored: NOT_KEPT. */
const keptOf = (column: string) =>
  `CASE ${column} WHEN '' THEN '${NOT_KEPT}' ELSE COALESCE(${column}, '${NONE}') END`;
/** SQL of a click's language: Spanish if the path, and not the query, of its page has `/es/`. */
const CLICK_LANGUAGE = `CASE WHEN page_url IS NULL THEN '${NONE}'
  WHEN page_url LIKE '%://%/es/%' AND page_url NOT LIKE '%?%/es/%' THEN 'es' ELSE 'en' END`;
/** SQL of a visit's language. Its page is stored as a path. */
const VISIT_LANGUAGE = "CASE WHEN page LIKE '/es/%' THEN 'es' ELSE 'en' END";
/**
 * Returns SQL for the weekday of a time: `mon`. Adds 3 days, because 1 January 1970 was a Thursday.
 *
 * @param localTime SQL of a local time (localTime below), in milliseconds
 */
export const weekdayOf = (localTime: string) =>
  `SUBSTR('${WEEKDAYS.join('')}', CAST((${localTime} / ${DAY_MS} + 3) % 7 AS INTEGER) * 3 + 1, 3)`;

/**
 * Columns of the dimensions whose value is stored as it is. An index or a comparison can use them.
 */
const COLUMNS = {
  class: 'referring_class',
  device: 'screen_class',
  ref: 'ref_key',
  campaign: 'utm_campaign',
  medium: 'utm_medium',
  source: 'utm_source',
};
/**
 * SQL of the referring site. A click on a later page of a visit has this site as its referrer, and
 * is counted as `own`: the visit counts to another site.
 */
const SITE = `CASE WHEN referring_class = 'own' THEN 'own' ELSE ${textOf('referring_site')} END`;

/** Returns SQL of a click's value for each dimension. @param at SQL of its local time */
export const clickSql = (at: string): Record<Dimension, string> => ({
  campaign: keptOf(COLUMNS.campaign),
  class: textOf(COLUMNS.class),
  cta: `CASE WHEN is_known THEN event ELSE '${UNKNOWN_EVENT}' END`,
  device: textOf(COLUMNS.device),
  language: CLICK_LANGUAGE,
  medium: keptOf(COLUMNS.medium),
  ref: keptOf(COLUMNS.ref),
  source: keptOf(COLUMNS.source),
  weekday: weekdayOf(at),
  site: SITE,
});

/** Returns SQL of a visit's value for each dimension. null: a visit has none. */
export const visitSql = (at: string): Record<Dimension, string | null> => ({
  ...clickSql(at),
  cta: null,
  language: VISIT_LANGUAGE,
});

/** Which clicks and visits a report counts. */
export type Selection = Pick<
  Question,
  'period' | 'length' | 'filters' | 'timeZone' | 'isShared'
> & {
  /** Whether names of referring sites are stored, so that the report has a table of them. */
  hasSites?: boolean;
};

/** SQL expressions that select rows, with the values of their `$1`, `$2` …, for both databases. */
export type SelectedRows = ReturnType<typeof visitsOf>;

/**
 * SQL condition of clicks that are in no click rate: the visits of private visitors and of pings
 * are not counted.
 */
const IS_UNRATED = "(is_private OR via = 'ping')";
/** SQL condition of rows that begin a visit. The table `visits` has a row for each page view. */
const IS_VISIT = 'is_first';

/** What is counted. It is also the name of the table in the database. */
export type Counted = 'clicks' | 'visits';

/** Returns the SQL that selects clicks or visits. */
export const selectRows = (what: Counted, selection: Selection) =>
  what === 'clicks' ? clicksOf(selection) : visitsOf(selection);

/**
 * Returns the SQL that selects clicks.
 *
 * @param values values that the statement has already. Those of the selection are added to this
 * array
 */
export function clicksOf(selection: Selection, values: Value[] = []) {
  const { since, until } = selection.period;
  const local = localTime('received_at', selection);
  // The bounds of ids limit the range of the primary key that the database reads. They are wider
  // than the period, because an id has the time of the browser.
  const ids = between('id', values, [
    lowestIdAt(since - OLDEST_ID_MS),
    lowestIdAt(until + ID_AHEAD_MS),
  ]);
  const times = between('received_at', values, [since, until]);
  const rated = `CASE WHEN ${IS_UNRATED} THEN 0 ELSE 1 END`;
  const columns = { sql: clickSql(local), texts: COLUMNS };
  return { local, rated, ...select(selection, columns, `${ids} AND ${times}`, values) };
}

/** Returns the SQL that selects views that begin a visit. @param values as for `clicksOf` */
export const visitsOf = (selection: Selection, values: Value[] = []) =>
  viewsOf(selection, values, ` AND ${IS_VISIT}`);

/**
 * Returns the SQL that selects views.
 *
 * @param values as for `clicksOf`
 * @param more a further SQL condition: ` AND …`
 */
export function viewsOf(selection: Selection, values: Value[] = [], more = '') {
  const { since, until } = selection.period;
  const local = localTime('viewed_at', selection);
  const bounds = `${between('viewed_at', values, [since, until])}${more}`;
  const columns = { sql: visitSql(local), texts: COLUMNS };
  return { local, rated: '0', ...select(selection, columns, bounds, values) };
}

/** Returns the SQL condition from <= column < to, and adds both values. */
const between = (column: string, values: Value[], [from, to]: [Value, Value]) =>
  `${column} >= $${values.push(from)} AND ${column} < $${values.push(to)}`;

interface Columns {
  sql: ReturnType<typeof visitSql>;
  texts: Partial<Record<Dimension, string>>;
}

/**
 * Adds the conditions of the filters to those of the period.
 *
 * @param values values of the bounds. Those of the filters are added
 * @returns `where`: all rows; `counted`: without robots and the team's own
 */
function select(
  { filters }: Selection,
  { sql: columns, texts }: Columns,
  bounds: string,
  values: Value[],
) {
  const conditions = DIMENSIONS.map((name) => {
    const [value, sql] = [filters[name], columns[name]];
    if (value === undefined || sql === null) return '';
    // Databases compare a column faster than an expression. Only NONE and NOT_KEPT need the
    // expression, because no column has these texts.
    const compared = value === NONE || value === NOT_KEPT ? sql : (texts[name] ?? sql);
    return ` AND ${compared} = $${values.push(value)}`;
  });
  const where = bounds + conditions.join('');
  return { columns, where, counted: `${where} AND ${IS_COUNTED}`, values };
}

/**
 * Returns SQL for the local time of a column: milliseconds since 1970 plus the offset of the time
 * zone. If the clocks change in the period, a CASE has one offset for each part.
 */
function localTime(column: string, { timeZone, period: { since, until } }: Selection): string {
  const changes: string[] = [];
  let from = Temporal.Instant.fromEpochMilliseconds(since).toZonedDateTimeISO(timeZone);
  for (;;) {
    const next = from.getTimeZoneTransition('next');
    const offset = from.offsetNanoseconds / 1e6;
    if (next === null || next.epochMilliseconds >= until)
      return `(${column} + ${changes.length > 0 ? `CASE ${changes.join(' ')} ELSE ${offset} END` : offset})`;
    changes.push(`WHEN ${column} < ${next.epochMilliseconds} THEN ${offset}`);
    from = next;
  }
}

/** Returns the words for a value, and a code that distinguishes values with the same words. */
export function describeValue(dimension: Dimension, key: string): { name: string; code: string } {
  if (key === OTHERS) return { name: 'All others', code: '' };
  const place = dimension === 'cta' ? PLACES.get(key) : undefined;
  if (place) return { name: JOIN, code: place };
  const names = NAMES[dimension];
  return { name: (Object.hasOwn(names, key) && names[key]) || key, code: '' };
}

/** Places of the buttons, which all have the same words. */
const PLACES = new Map<string, string>([
  [CTAS.hero.event, 'top of the page'],
  [CTAS.closing.event, 'end of the page'],
  [CTAS.help.event, 'help pages'],
]);
/** Words for the keys of each dimension. */
const NAMES: Record<Dimension, Record<string, string>> = {
  ref: { [NONE]: 'Without a link of ours', [NOT_KEPT]: 'A ref that could not be read' },
  campaign: { [NONE]: 'Without a campaign', [NOT_KEPT]: 'A campaign that is not kept' },
  class: {
    [NONE]: 'Unknown',
    direct: 'Typed, saved, or from an app',
    search: 'Search engines',
    assistant: 'AI assistants',
    social: 'Social networks and messengers',
    mail: 'Mail',
    partner: 'The partner',
    own: 'On a later page',
    other: 'Other sites',
  },
  site: { [NONE]: 'No other site', own: 'On a later page' },
  cta: { [UNKNOWN_EVENT]: 'A button that this server does not know' },
  device: { [NONE]: 'Unknown', small: 'Phone', medium: 'Tablet', large: 'Computer' },
  language: { [NONE]: 'Unknown', en: 'English', es: 'Spanish' },
  medium: { [NONE]: 'Without a medium', [NOT_KEPT]: 'A medium that is not kept' },
  source: { [NONE]: 'Without a source', [NOT_KEPT]: 'A source that is not kept' },
  weekday: {
    mon: 'Monday',
    tue: 'Tuesday',
    wed: 'Wednesday',
    thu: 'Thursday',
    fri: 'Friday',
    sat: 'Saturday',
    sun: 'Sunday',
  },
};
