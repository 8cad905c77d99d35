/**
 * The clicks and visits that a report counts, as SQL: those of a period, in the team's time zone,
 * under its filters, by its dimensions.
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

/** Dimensions with a table. */
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
/** Each is a parameter of the page's address. */
export const DIMENSIONS = [...TABLES, 'weekday'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export type Filters = Partial<Record<Dimension, string>>;

/** Leaves one filter out: a table whose own field is filtered has all its rows. */
export const without = (filters: Filters, name: string): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([other]) => other !== name));

/** The value of clicks and visits that have none. */
export const NONE = 'none';
/**
 * The value of those whose ref names no source, or whose campaign's value is not kept. No key and
 * no value begins with this sign.
 */
export const NOT_KEPT = '?';
/**
 * Key of the row that adds up a long table's smallest rows. No text of the database has this
 * character.
 */
export const OTHERS = '\0';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/**
 * SQL whose value is a text, and `none` where the row has none. It runs on SQLite and PostgreSQL.
 */
const textOf = (column: string) => `COALESCE(NULLIF(${column}, ''), '${NONE}')`;
/** The same of a column whose empty text says that there was a value, which is not kept. */
const keptOf = (column: string) =>
  `CASE ${column} WHEN '' THEN '${NOT_KEPT}' ELSE COALESCE(${column}, '${NONE}') END`;
const CLICK_LANGUAGE = `CASE WHEN page_url IS NULL THEN '${NONE}'
  WHEN page_url LIKE '%://%/es/%' AND page_url NOT LIKE '%?%/es/%' THEN 'es' ELSE 'en' END`;
const VISIT_LANGUAGE = "CASE WHEN page LIKE '/es/%' THEN 'es' ELSE 'en' END";
/**
 * @param at time in milliseconds since 1970, moved to the team's zone. 1 January 1970 was a
 * Thursday
 */
export const weekdayOf = (at: string) =>
  `SUBSTR('${WEEKDAYS.join('')}', CAST((${at} / ${DAY_MS} + 3) % 7 AS INTEGER) * 3 + 1, 3)`;

/** Columns of the dimensions that have one. */
const TEXTS = {
  class: 'referring_class',
  device: 'screen_class',
  ref: 'ref_key',
  campaign: 'utm_campaign',
  medium: 'utm_medium',
  source: 'utm_source',
};
/**
 * A press on a later page belongs to a visit from another site, so it must not be in that row's
 * rate.
 */
const SITE = `CASE WHEN referring_class = 'own' THEN 'own' ELSE ${textOf('referring_site')} END`;

export const clickSql = (at: string): Record<Dimension, string> => ({
  campaign: keptOf(TEXTS.campaign),
  class: textOf(TEXTS.class),
  cta: `CASE WHEN is_known THEN event ELSE '${UNKNOWN_EVENT}' END`,
  device: textOf(TEXTS.device),
  language: CLICK_LANGUAGE,
  medium: keptOf(TEXTS.medium),
  ref: keptOf(TEXTS.ref),
  source: keptOf(TEXTS.source),
  weekday: weekdayOf(at),
  site: SITE,
});

/** null: a visit has none. */
export const visitSql = (at: string): Record<Dimension, string | null> => ({
  ...clickSql(at),
  cta: null,
  language: VISIT_LANGUAGE,
});

export type Selection = Pick<
  Question,
  'period' | 'length' | 'filters' | 'timeZone' | 'isShared'
> & {
  /** Whether the names of sites are kept, so that there is a table of them. */
  hasSites?: boolean;
};

/** SQL that SQLite and PostgreSQL run, with its values of `$1`, `$2` … */
export type SelectedRows = ReturnType<typeof visitsOf>;

/**
 * A click without a known visit: the site does not count the visits of private visitors and of
 * pings.
 */
const IS_UNRATED = "(is_private OR via = 'ping')";
/** Which rows of the table `visits` begin a visit: each of them is a page view. */
const IS_VISIT = 'is_first';

/** What a figure counts, and the name of its table. */
export type Counted = 'clicks' | 'visits';

export const selectRows = (what: Counted, selection: Selection) =>
  what === 'clicks' ? clicksOf(selection) : visitsOf(selection);

/** @param values of a statement that has others already */
export function clicksOf(selection: Selection, values: Value[] = []) {
  const { since, until } = selection.period;
  const local = localTime('received_at', selection);
  // Ids bound the part of the table that the database reads.
  const ids = between('id', values, [
    lowestIdAt(since - OLDEST_ID_MS),
    lowestIdAt(until + ID_AHEAD_MS),
  ]);
  const times = between('received_at', values, [since, until]);
  const rated = `CASE WHEN ${IS_UNRATED} THEN 0 ELSE 1 END`;
  const columns = { sql: clickSql(local), texts: TEXTS };
  return { local, rated, ...select(selection, columns, `${ids} AND ${times}`, values) };
}

/** @param values of a statement that has others already */
export const visitsOf = (selection: Selection, values: Value[] = []) =>
  viewsOf(selection, values, ` AND ${IS_VISIT}`);

/**
 * @param values of a statement that has others already
 * @param more a further condition
 */
export function viewsOf(selection: Selection, values: Value[] = [], more = '') {
  const { since, until } = selection.period;
  const local = localTime('viewed_at', selection);
  const bounds = `${between('viewed_at', values, [since, until])}${more}`;
  const columns = { sql: visitSql(local), texts: TEXTS };
  return { local, rated: '0', ...select(selection, columns, bounds, values) };
}

const between = (column: string, values: Value[], [from, to]: [Value, Value]) =>
  `${column} >= $${values.push(from)} AND ${column} < $${values.push(to)}`;

interface Columns {
  sql: ReturnType<typeof visitSql>;
  texts: Partial<Record<Dimension, string>>;
}

/** @param values of the bounds; the filters add theirs */
function select(
  { filters }: Selection,
  { sql: columns, texts }: Columns,
  bounds: string,
  values: Value[],
) {
  const conditions = DIMENSIONS.map((name) => {
    const [value, sql] = [filters[name], columns[name]];
    if (value === undefined || sql === null) return '';
    // Databases compare a column faster than what is made of it. A row without a text has no other.
    const compared = value === NONE || value === NOT_KEPT ? sql : (texts[name] ?? sql);
    return ` AND ${compared} = $${values.push(value)}`;
  });
  // Robots and the team's own are among them.
  const where = bounds + conditions.join('');
  return { columns, where, counted: `${where} AND ${IS_COUNTED}`, values };
}

/**
 * Adds the zone's offset to a time in UTC, as if the team's clocks had run since 1970. It changes
 * with the clocks.
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

/** The words of a value, and beside them what tells it from others with the same words. */
export function describeValue(dimension: Dimension, key: string): { name: string; code: string } {
  if (key === OTHERS) return { name: 'All others', code: '' };
  const place = dimension === 'cta' ? PLACES.get(key) : undefined;
  if (place) return { name: JOIN, code: place };
  const names = NAMES[dimension];
  return { name: (Object.hasOwn(names, key) && names[key]) || key, code: '' };
}

const PLACES = new Map<string, string>([
  [CTAS.hero.event, 'top of the page'],
  [CTAS.closing.event, 'end of the page'],
  [CTAS.help.event, 'help pages'],
]);
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
