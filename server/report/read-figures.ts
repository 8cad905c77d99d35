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
/** Between the groups of a quarter of an hour. */
const NEXT = '\x1e';
/** SQLite has 0 and 1, PostgreSQL f and t. */
const isTrue = (flag = '') => flag === '1' || flag === 't';

/**
 * Joins the rows of a quarter of an hour into one text, because a driver needs longer for a row than for its values. The ref comes
 * last, because it may contain the separator.
 */
const groupsOf = (site: string, ...own: string[]) => {
  const texts = [...CAMPAIGN, 'screen_class', site].map((column) => `COALESCE(${column}, '')`);
  const ref = `REPLACE(COALESCE(referrer, ''), '${NEXT}', '${SEPARATOR}')`;
  return `STRING_AGG(CONCAT_WS('${SEPARATOR}', ${['is_bot', ...texts, ...own, ref].join(', ')}), '${NEXT}')`;
};
const CAMPAIGN = ['utm_source', 'utm_medium', 'utm_campaign'];
const EVENT = `CASE WHEN is_known THEN event ELSE '${UNKNOWN}' END`;
/** Ids from $1 to $2, and the period, in which the server must have received the click, from $3 to $4. */
const OF_PERIOD = 'id >= $1 AND id < $2 AND received_at >= $3 AND received_at < $4';
const CLICKS = `SELECT received_at / ${QUARTER_MS}, ${groupsOf('referring_domain', EVENT, 'via', 'is_private')},
  COALESCE(SUM(CASE WHEN NOT is_bot THEN dropped END), 0) FROM clicks WHERE ${OF_PERIOD}
  AND ($5 = '' OR COALESCE(referrer, '${NONE}') = $5) AND ($6 = '' OR event = $6) GROUP BY 1`;
const VISITS = `SELECT viewed_at / ${QUARTER_MS}, ${groupsOf('referring_class')} FROM visits
  WHERE viewed_at >= $1 AND viewed_at < $2 AND ($3 = '' OR COALESCE(referrer, '${NONE}') = $3) GROUP BY 1`;
/**
 * The numbers that are missing between the lowest and the highest one of a visit. Those below the lowest may be in the period
 * before. Most visits have only the number 1: the inner query leaves them out.
 */
const GAPS = `SELECT COALESCE(SUM(missing), 0) FROM (
  SELECT MAX(seq) - MIN(seq) + 1 - COUNT(DISTINCT seq) AS missing FROM clicks WHERE ${OF_PERIOD} AND NOT is_bot
  AND visit_id IN (SELECT visit_id FROM clicks WHERE ${OF_PERIOD} AND NOT is_bot AND seq > 1) GROUP BY visit_id) AS gaps`;
const REGISTRATIONS =
  'SELECT COUNT(*) FROM registrations WHERE registered_at >= $1 AND registered_at < $2';

type Quarter = [quarter: number, groups: string, dropped: number];

export async function readFigures(
  reader: Reader,
  { since, until }: Period,
  { period, timeZone, ref, cta }: Pick<Question, 'period' | 'timeZone' | 'ref' | 'cta'>,
): Promise<Figures> {
  // The report shows no gaps of the period before.
  const hasGaps = ref === null && cta === null && since === period.since;
  const figures: Figures = { ...emptyFigures(), missing: hasGaps ? 0 : null };
  const clicks = createGroups(timeZone);
  const visits = createGroups(timeZone);
  const ofPeriod = [firstIdSince(since), firstIdOf(until + ID_AHEAD_MS), since, until];
  await reader.each(CLICKS, [...ofPeriod, ref ?? '', cta ?? ''], (quarter: Quarter) => {
    clicks.add(quarter);
    figures.dropped += quarter[2];
  });
  await reader.each(VISITS, [since, until, ref ?? ''], visits.add);
  await reader.each(REGISTRATIONS, [since, until], ([n]: [number]) => {
    figures.registrations = n;
  });
  if (hasGaps)
    await reader.each(GAPS, ofPeriod, ([n]: [number]) => {
      figures.missing = n;
    });
  clicks.each((day, values, n) => addClicks(figures, day, values, n));
  visits.each((day, values, n) => {
    if (isTrue(values[0])) figures.robotVisits += n;
    else for (const row of originRows(figures, day, values)) row.visits += n;
  });
  return figures;
}

function createGroups(timeZone: string) {
  const groups = new Map<string, Map<string, number>>();
  return {
    add([quarter, joined]: Quarter): void {
      const start = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS);
      const day = String(start.toZonedDateTimeISO(timeZone).toPlainDate());
      for (const group of joined.split(NEXT)) {
        const days = groups.get(group) ?? new Map<string, number>();
        if (days.size === 0) groups.set(group, days);
        days.set(day, (days.get(day) ?? 0) + 1);
      }
    },
    each(onCount: (day: string, values: string[], n: number) => void): void {
      for (const [group, days] of groups) {
        const values = group.split(SEPARATOR);
        for (const [day, n] of days) onCount(day, values, n);
      }
    },
  };
}

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
