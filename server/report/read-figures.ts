/**
 * Reads the figures of a period in one pass over its clicks and visits. Ids begin with their time, so the clicks of a period are one
 * piece of the table, and the report needs no index of it.
 */
import { firstIdOf, firstIdSince, ID_AHEAD_MS } from '../clicks/id-time.ts';
import { UNKNOWN } from '../clicks/store-clicks.ts';
import type { Reader } from '../database/open-reader.ts';
import { type Counts, emptyFigures, type Figures, NONE, rowOf } from './figures.ts';
import type { Period, Question } from './question.ts';

/** The days of every time zone begin at a quarter of an hour. */
const QUARTER_MS = 15 * 60 * 1000;

/** Between the values of a group. */
const SEPARATOR = '\x1f';
/** SQLite has 0 and 1, PostgreSQL f and t. */
const isTrue = (flag = '') => flag === '1' || flag === 't';

/**
 * Joins the columns of a group into one string, because the drivers make a string of each value. The ref comes last, because it may
 * contain the separator.
 */
const groupOf = (site: string, ...own: string[]) => {
  const [referrer, ...texts] = ['referrer', ...CAMPAIGN, 'screen_class', site].map(
    (column) => `COALESCE(${column}, '')`,
  );
  return `CONCAT_WS($1, ${['is_bot', ...texts, ...own, referrer].join(', ')})`;
};
const CAMPAIGN = ['utm_source', 'utm_medium', 'utm_campaign'];
const EVENT = `CASE WHEN is_known THEN event ELSE '${UNKNOWN}' END`;
/** The newest first: createGaps needs it. */
const CLICKS = `SELECT received_at / ${QUARTER_MS}, ${groupOf('referring_domain', EVENT, 'via', 'is_private')},
  CASE WHEN NOT is_bot THEN visit_id END, seq, CASE WHEN NOT is_bot THEN dropped END
  FROM clicks WHERE id >= $2 AND id < $3 AND received_at >= $4 AND received_at < $5
  AND ($6 = '' OR COALESCE(referrer, '${NONE}') = $6) AND ($7 = '' OR event = $7) ORDER BY id DESC`;
const VISITS = `SELECT viewed_at / ${QUARTER_MS}, ${groupOf('referring_class')}
  FROM visits WHERE viewed_at >= $2 AND viewed_at < $3
  AND ($4 = '' OR COALESCE(referrer, '${NONE}') = $4)`;
const REGISTRATIONS =
  'SELECT COUNT(*) FROM registrations WHERE registered_at >= $1 AND registered_at < $2';

type ClickRow = [
  quarter: number,
  group: string,
  visit: string | null,
  seq: number | null,
  dropped: number | null,
];

/** A part of a period's rows. */
export interface Part {
  /** The period, by the server's clock. */
  period: Period;
  /** Of clicks. Those of one visit are made together, so they are in one part. */
  ids: [first: string, end: string];
  /** Of visits and registrations. */
  times: Period;
}

/** Halves of about the same size. Pure */
export function partsOf(period: Period): [Part, Part] {
  const { since, until } = period;
  const middle = Math.floor((since + until) / 2);
  const ids = [firstIdSince(since), firstIdOf(middle), firstIdOf(until + ID_AHEAD_MS)] as const;
  return [
    { period, ids: [ids[0], ids[1]], times: { since, until: middle } },
    { period, ids: [ids[1], ids[2]], times: { since: middle, until } },
  ];
}

/** @throws (rejects with) the database's error */
export async function readFigures(
  reader: Reader,
  { period: { since, until }, ids, times }: Part,
  { timeZone, ref, cta }: Pick<Question, 'timeZone' | 'ref' | 'cta'>,
): Promise<Figures> {
  const figures = emptyFigures();
  const gaps = createGaps();
  const clicks = createGroups(timeZone);
  const visits = createGroups(timeZone);
  const filters = [SEPARATOR, ...ids, since, until, ref ?? '', cta ?? ''];
  await reader.each(CLICKS, filters, ([quarter, group, visit, seq, dropped]: ClickRow) => {
    clicks.add(quarter, group);
    if (visit !== null && seq !== null) gaps.add(visit, seq);
    figures.dropped += dropped ?? 0;
  });
  await reader.each(
    VISITS,
    [SEPARATOR, times.since, times.until, ref ?? ''],
    (row: [number, string]) => visits.add(...row),
  );
  await reader.each(REGISTRATIONS, [times.since, times.until], ([n]: [number]) => {
    figures.registrations = n;
  });
  clicks.each((day, values, n) => addClicks(figures, day, values, n));
  visits.each((day, values, n) => {
    if (isTrue(values[0])) figures.robotVisits += n;
    else for (const row of originRows(figures, day, values)) row.visits += n;
  });
  return { ...figures, missing: ref === null && cta === null ? gaps.missing() : null };
}

/** Counts rows by group and day. */
function createGroups(timeZone: string) {
  const dayOf = createDays(timeZone);
  const groups = new Map<string, Map<string, number>>();
  return {
    add(quarter: number, group: string): void {
      const days = groups.get(group) ?? new Map<string, number>();
      if (days.size === 0) groups.set(group, days);
      const day = dayOf(quarter);
      days.set(day, (days.get(day) ?? 0) + 1);
    },
    each(onCount: (day: string, values: string[], n: number) => void): void {
      for (const [group, days] of groups) {
        const values = group.split(SEPARATOR);
        for (const [day, n] of days) onCount(day, values, n);
      }
    },
  };
}

/** @param values of a click's group */
function addClicks(figures: Figures, day: string, values: string[], n: number): void {
  if (isTrue(values[0])) {
    figures.robotClicks += n;
    return;
  }
  const [event = '', via = '', isPrivate] = values.slice(6);
  const isRated = !isTrue(isPrivate) && via !== 'ping';
  for (const row of [...originRows(figures, day, values), rowOf(figures.byCta, event)]) {
    row.clicks += n;
    if (isRated) row.rated += n;
  }
  figures.byWay[via] = (figures.byWay[via] ?? 0) + n;
  if (isTrue(isPrivate)) figures.privateClicks += n;
}

/** @returns the rows in which clicks or visits from there count */
function originRows(figures: Figures, day: string, values: string[]): Counts[] {
  const [, source, medium, campaign, screen, site] = values;
  const named = [source, medium, campaign].filter(Boolean).join(' / ');
  return [
    figures,
    rowOf(figures.byDay, day),
    rowOf(figures.byRef, values.at(-1) || NONE),
    rowOf(figures.byCampaign, named || NONE),
    rowOf(figures.bySite, site || NONE),
    rowOf(figures.byScreen, screen || NONE),
  ];
}

/** @returns a function from a quarter of an hour to its day in the time zone: `2026-01-31` */
function createDays(timeZone: string): (quarter: number) => string {
  const days = new Map<number, string>();
  return (quarter) => {
    let day = days.get(quarter);
    if (day === undefined) {
      const start = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS);
      day = String(start.toZonedDateTimeISO(timeZone).toPlainDate());
      days.set(quarter, day);
    }
    return day;
  };
}

/**
 * Counts the numbers that are missing between the lowest and the highest one of a visit. Those below the lowest may be in the period
 * before. Rows come newest first: if the first row of a visit has number 1, the visit has no other click.
 */
function createGaps() {
  const visits = new Map<string, { highest: number; lowest: number; seen: number }>();
  return {
    add(visit: string, seq: number): void {
      const known = visits.get(visit);
      if (known) {
        known.highest = Math.max(known.highest, seq);
        known.lowest = Math.min(known.lowest, seq);
        known.seen += 1;
      } else if (seq > 1) visits.set(visit, { highest: seq, lowest: seq, seen: 1 });
    },
    missing(): number {
      let missing = 0;
      for (const { highest, lowest, seen } of visits.values())
        missing += Math.max(0, highest - lowest + 1 - seen);
      return missing;
    },
  };
}
