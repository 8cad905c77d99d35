/** Fills SQLite's tables for benches: with made clicks and visits, and with a flood of refs. */
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../server/database/database.ts';
import { DAY_MS, HOUR_MS } from '../server/time.ts';

/** Number of days over which the rows are spread. */
export const DAYS = 90;
const SPAN_MS = DAYS * DAY_MS;

/**
 * Makes a database with the server's migrations, and fills it with rows. Ids begin with their time,
 * as a UUID v7 does.
 *
 * @param rows number of clicks, and of visits
 */
export async function fillDatabase(file: string, rows: number): Promise<void> {
  await (await openDatabase([], file)).close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  const begin = Date.now() - SPAN_MS;
  for (const sql of [CLICKS, VISITS]) db.prepare(ROWS + sql).run({ rows, begin, span: SPAN_MS });
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

/**
 * Stores visits of one hour with refs of about 340 characters, as many as one address once sent.
 */
export function flood(file: string, rows: number): void {
  const db = new DatabaseSync(file);
  db.prepare(FLOOD).run({ rows, at: Date.now() - HOUR_MS });
  db.close();
}

/**
 * SQL of the rows to insert. `n` is the row's number, `at` its time, and `r` a pseudo-random number
 * from 0 to 9999, on which the columns below depend.
 */
const ROWS = `WITH RECURSIVE
  counted(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n + 1 < :rows),
  made AS (
    SELECT n, CAST(:begin + n * :span / :rows AS INTEGER) AS at, n * 7919 % 10000 AS r
    FROM counted)
`;
const REF = "CASE WHEN r < 7000 THEN 'clinic-' || (r * r / 130000) END";
const SOURCE = "CASE WHEN r % 5 < 2 THEN 'source-' || (r % 6) END";
const MEDIUM = "CASE WHEN r % 5 < 2 THEN 'medium-' || (r % 4) END";
const CAMPAIGN = "CASE WHEN r % 5 < 2 THEN 'drive-' || (r % 20) END";
const CLASS = "CASE r % 3 WHEN 0 THEN 'search' WHEN 1 THEN 'direct' ELSE 'social' END";
const SCREEN = "CASE r % 3 WHEN 0 THEN 'small' WHEN 1 THEN 'medium' ELSE 'large' END";
const uuid = (at: string, n: string) =>
  `printf('%08x-%04x-7000-8000-%012x', ${at} >> 16, ${at} & 65535, ${n})`;
const ID = uuid('at', 'n');
/**
 * SQL: whether a click is the second one of its visit. Its visit's id is then that of row n - 1.
 */
const IS_SECOND = 'n % 10 = 9';
const ID_BEFORE = uuid('CAST(:begin + (n - 1) * :span / :rows AS INTEGER)', 'n - 1');

/** Returns the statement that inserts the rows. @param values SQL of each column, by its name */
const insertMade = (table: string, values: Record<string, string>) =>
  `INSERT INTO ${table} (${Object.keys(values).join(', ')})
SELECT ${Object.values(values).join(',\n  ')}
FROM made`;

const ORIGIN = {
  referrer: REF,
  ref_key: REF,
  utm_source: SOURCE,
  utm_medium: MEDIUM,
  utm_campaign: CAMPAIGN,
  referring_class: CLASS,
  screen_class: SCREEN,
};
const MARKS = { is_bot: 'r % 33 = 0', is_internal: '0', is_automated: 'r % 50 = 0' };

const CLICKS = insertMade('clicks', {
  id: ID,
  visit_id: `CASE WHEN ${IS_SECOND} THEN ${ID_BEFORE} ELSE ${ID} END`,
  event: `CASE r % 3
    WHEN 0 THEN 'hero_cta_click'
    WHEN 1 THEN 'lower_cta_click'
    ELSE 'help_cta_click' END`,
  received_at: 'at',
  clicked_at: 'at - 90',
  sent_at: 'at - 40',
  seq: `1 + (${IS_SECOND})`,
  ...ORIGIN,
  page_url: "'https://www.site.example/?ref=clinic-7'",
  user_agent: `'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/'
    || (100 + r % 50) || '.0.0.0 Safari/537.36'`,
  is_mobile: 'r % 2',
  remote_ip: "'198.51.100.7'",
  via: "CASE WHEN r % 9 = 0 THEN 'beacon' ELSE 'fetch' END",
  ...MARKS,
  is_private: 'r % 20 = 0',
  is_known: '1',
  req_id: "printf('%x-1', n)",
});

const VISITS = insertMade('visits', {
  id: "printf('%08x-0000-4000-8000-%012x', n * 2654435761 % 4294967296, n)",
  viewed_at: 'at',
  page: "CASE WHEN r % 4 = 0 THEN '/help/' ELSE '/' END",
  ...ORIGIN,
  is_first: '1',
  is_brief: 'r % 10 = 0',
  ...MARKS,
});

const FLOOD = `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < :rows)
INSERT INTO visits (
  id, viewed_at, page, referrer, ref_key, referring_class, screen_class, is_first, is_brief,
  is_bot, is_internal, is_automated
)
SELECT 'flood-' || n, :at, '/', ref, ref, 'direct', 'small', 1, 0, 0, 0, 0
FROM (SELECT n, n || '-' || printf('%.*c', 330, 'x') AS ref FROM counted)`;
