/** Lists the data that retention deletes: rows, personal columns, and this server's log files. */
import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { logDays } from '#contract/log-days.ts';
import { type DailyFile, listDailyFiles } from './clicks/daily-file.ts';
import { createClickEmptier, findFirstDayToEmpty } from './clicks/empty-old-clicks.ts';
import {
  clicksKeptSince,
  identifiedSince,
  lowestIdAt,
  lowestIdReceivedSince,
} from './clicks/id-time.ts';
import { type Database, type Value, write } from './database/database.ts';
import { LARGE_PART_DIVISOR, MAX_UNANNOUNCED, type OldPart } from './deletion-rules.ts';
import { ID_AHEAD_MS } from './http/browser-clock.ts';
import { DAY_MS, dayOf } from './time.ts';

/** Upper bound for the rows of one transaction, so that new clicks do not wait long. */
const MAX_ROWS_PER_TRANSACTION = 500;
/** Upper bound for the counted old rows. If there are more, they count as a large part. */
const MAX_COUNTED = 100_000;

/** One kind of data with a retention period. */
export interface OldData {
  /** Name in messages: `clicks older than 30 days`. */
  name: string;
  /** Returns the time before which the data is too old, in milliseconds since 1970. */
  before(now: number): number;
  /** Measures how much is too old. */
  measure(before: number): Promise<OldPart>;
  /**
   * Deletes a slice of the old data. Returns the number of its rows or files, and whether it was
   * the last one.
   */
  deleteSlice(before: number, now: number): Promise<{ count: number; isLast: boolean }>;
  /** Overwrites the deleted rows' content in the database's files. */
  finish?(): Promise<void>;
}

export interface OldDataParts {
  db: Database;
  /** Folder of the log files. */
  folder: string;
  site: Pick<BuiltSite, 'clickRetentionDays' | 'personalDataDays' | 'registrationRetentionDays'>;
}

/** Returns the data for which this site's settings have a retention period. */
export function listOldData({ db, folder, site }: OldDataParts): OldData[] {
  const oldData: OldData[] = [
    makeOldLogs(folder, 'clicks', site),
    makeOldLogs(folder, 'refused', site),
  ];
  const { clickRetentionDays: clickDays, personalDataDays: personalDays } = site;
  const { registrationRetentionDays: registrationDays } = site;
  if (clickDays > 0) oldData.push(makeOldClicks(db, clickDays), makeOldVisits(db, clickDays));
  if (personalDays > 0) oldData.push(makePersonalData(db, personalDays));
  const [eventDays = 0] = [personalDays, clickDays].filter(Boolean).sort((a, b) => a - b);
  if (eventDays > 0) oldData.push(...makeOldEvents(db, eventDays));
  if (registrationDays > 0) oldData.push(makeOldRegistrations(db, registrationDays));
  return oldData;
}

/**
 * Finds when the newest click was received. The table has no index of times, but the newest click
 * is among the last ids, which begin with the browsers' times.
 */
const FIND_NEWEST_CLICK = `
  SELECT MAX(received_at) AS at
  FROM (SELECT received_at FROM clicks ORDER BY id DESC LIMIT 1000) AS newest`;
const FIND_NEWEST_VISIT = 'SELECT MAX(viewed_at) AS at FROM visits';
const FIND_NEWEST_EVENT = 'SELECT MAX(queued_at) AS at FROM posthog_outbox';
const FIND_NEWEST_REGISTRATION = 'SELECT MAX(registered_at) AS at FROM registrations';

/** A SQL condition on rows, and its parameters from $1 on. */
type Condition = [condition: string, ...values: Value[]];

/** Which rows of a table are old, and which are not. */
interface OldRows {
  db: Database;
  table: string;
  /** Column of the primary key: `id` if left out. */
  key?: string;
  old: Condition;
  others: Condition;
  /** Queries that find when the newest row arrived, as `at`. */
  newest: string[];
}

/** Measures how many rows are old. */
async function measureRows({ db, table, old, others, newest }: OldRows, before: number) {
  const count = async ([condition, ...values]: Condition, limit: number) => {
    const sql = `
      SELECT COUNT(*) AS n
      FROM (SELECT 1 FROM ${table} WHERE ${condition} LIMIT ${limit}) AS counted`;
    const [{ n = 0 } = {}] = await write(db, sql, values);
    return Number(n);
  };
  const oldRows = await count(old, MAX_COUNTED);
  if (oldRows === 0) return { old: 0, isLargePart: false, isNewestOld: false };
  const times = await Promise.all(newest.map((sql) => write(db, sql, [])));
  const newestAt = Math.max(...times.map(([row]) => Number(row?.at ?? 0)));
  // At most a tenth is old if there are at least nine times as many other rows.
  const othersNeeded = (LARGE_PART_DIVISOR - 1) * oldRows;
  const areOthersFew =
    oldRows <= MAX_UNANNOUNCED || (await count(others, othersNeeded)) < othersNeeded;
  const isLargePart = areOthersFew || oldRows === MAX_COUNTED;
  return { old: oldRows, isLargePart, isNewestOld: newestAt < before };
}

/** Deletes a slice of the old rows, in one transaction. @param order column to sort by */
async function deleteRows({ db, table, key = 'id', old }: OldRows, order: string) {
  const [condition, ...values] = old;
  const sql = `
    DELETE FROM ${table}
    WHERE ${key} IN (
      SELECT ${key}
      FROM ${table}
      WHERE ${condition}
      ORDER BY ${order}
      LIMIT ${MAX_ROWS_PER_TRANSACTION}
    )
    RETURNING ${key}`;
  const { length } = await write(db, sql, values);
  return { count: length, isLast: length < MAX_ROWS_PER_TRANSACTION };
}

/**
 * Selects the clicks before a time. The bounds on `id` limit the part of the table that is read,
 * because ids begin with their time.
 */
const selectClicksBefore = (
  before: number,
): Pick<OldRows, 'table' | 'old' | 'others' | 'newest'> => ({
  table: 'clicks',
  old: ['received_at < $1 AND id < $2', before, lowestIdAt(before + ID_AHEAD_MS)],
  others: ['received_at >= $1 AND id >= $2', before, lowestIdReceivedSince(before)],
  newest: [FIND_NEWEST_CLICK],
});

function makeOldClicks(db: Database, days: number): OldData {
  return {
    name: `clicks older than ${days} days`,
    before: (now) => clicksKeptSince(days, now),
    measure: (before) => measureRows({ db, ...selectClicksBefore(before) }, before),
    deleteSlice: (before) => deleteRows({ db, ...selectClicksBefore(before) }, 'id'),
  };
}

function makeOldVisits(db: Database, days: number): OldData {
  const rows = (before: number): OldRows => ({
    db,
    table: 'visits',
    old: ['viewed_at < $1', before],
    others: ['viewed_at >= $1', before],
    newest: [FIND_NEWEST_VISIT],
  });
  return {
    name: `visits older than ${days} days`,
    before: (now) => clicksKeptSince(days, now),
    measure: (before) => measureRows(rows(before), before),
    deleteSlice: (before) => deleteRows(rows(before), 'viewed_at'),
  };
}

function makeOldRegistrations(db: Database, days: number): OldData {
  const rows = (before: number): OldRows => ({
    db,
    table: 'registrations',
    old: ['registered_at < $1', before],
    others: ['registered_at >= $1', before],
    // Clicks too, because few people register, and a new click also proves that the site has run
    // since.
    newest: [FIND_NEWEST_REGISTRATION, FIND_NEWEST_CLICK],
  });
  return {
    name: `registrations older than ${days} days`,
    before: (now) => now - days * DAY_MS,
    measure: (before) => measureRows(rows(before), before),
    deleteSlice: (before) => deleteRows(rows(before), 'registered_at'),
    // These tables have personal data, whose content must not remain in the database's files.
    finish: () => db.overwriteDeleted(['registrations', 'mail_outbox']),
  };
}

function makePersonalData(db: Database, days: number): OldData {
  const { emptySlice } = createClickEmptier(db);
  return {
    name: `personal data of clicks older than ${days} days`,
    before: (now) => identifiedSince(days, now),
    async measure(before) {
      const first = await findFirstDayToEmpty(db, before);
      if (first === null) return { old: 0, isLargePart: false, isNewestOld: false };
      const rows = selectClicksBefore(before);
      const [condition, ...values] = rows.old;
      const old: Condition = [`${condition} AND received_at >= $3`, ...values, first];
      return measureRows({ db, ...rows, old }, before);
    },
    deleteSlice: emptySlice,
  };
}

/**
 * Events of views and of browsers have a visit id and the page's address, and no row of their own
 * that retention empties. PostHog may refuse them for good, or never answer again. So they go with
 * the personal data of clicks, or with the rows where those go earlier. A click's entry in the
 * outbox has only its id and stays, so that an operator can send the click again.
 */
function makeOldEvents(db: Database, days: number): OldData[] {
  // By two conditions, because each has an index.
  const kinds = [
    { name: `events that PostHog refused, older than ${days} days`, which: 'refused IS NOT NULL' },
    { name: `events that wait for PostHog, older than ${days} days`, which: 'refused IS NULL' },
  ];
  return kinds.map(({ name, which }) => {
    const selectOld = (before: number): OldRows => ({
      db,
      table: 'posthog_outbox',
      key: 'uuid',
      old: [`event IS NOT NULL AND ${which} AND queued_at < $1`, before],
      others: [`event IS NOT NULL AND ${which} AND queued_at >= $1`, before],
      // The outbox is mostly empty. A click or a view shows as well that the site has run since.
      newest: [FIND_NEWEST_EVENT, FIND_NEWEST_CLICK, FIND_NEWEST_VISIT],
    });
    return {
      name,
      before: (now) => identifiedSince(days, now),
      measure: (before) => measureRows(selectOld(before), before),
      deleteSlice: (before) => deleteRows(selectOld(before), 'queued_at'),
    };
  });
}

/** The log files of one kind. @param name `clicks` or `refused` */
function makeOldLogs(folder: string, name: string, site: OldDataParts['site']): OldData {
  const isOld = (before: number) => (file: DailyFile) => file.day < dayOf(before);
  return {
    name: `log files ${name}-DATE.jsonl older than ${logDays(site)} days`,
    before: (now) => now - logDays(site) * DAY_MS,
    async measure(before) {
      const files = listDailyFiles(folder, name);
      const old = files.filter(isOld(before));
      // The click log too, because few clicks are refused, and a new click also proves that the
      // site has run since.
      const newest = [files, listDailyFiles(folder, 'clicks')].map((list) => list.at(-1));
      return {
        old: old.reduce((lines, file) => lines + countLines(file), 0),
        isLargePart: LARGE_PART_DIVISOR * sizeOf(old) > sizeOf(files),
        isNewestOld: newest.every((file) => file === undefined || isOld(before)(file)),
      };
    },
    async deleteSlice(before) {
      const old = listDailyFiles(folder, name).filter(isOld(before));
      for (const { path } of old) rmSync(path, { force: true });
      return { count: old.length, isLast: true };
    },
  };
}

const sizeOf = (files: DailyFile[]): number =>
  files.reduce((bytes, { path }) => bytes + statSync(path).size, 0);

const CHUNK_BYTES = 64 * 1024;

/** Counts the lines of a file, but not many more than the rules need. @returns at least 1 */
function countLines({ path }: DailyFile): number {
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let lines = 1;
  try {
    for (let size = -1; size !== 0 && lines <= MAX_UNANNOUNCED + 1; ) {
      size = readSync(file, chunk);
      for (let at = chunk.indexOf('\n'); at >= 0 && at < size; at = chunk.indexOf('\n', at + 1))
        lines += 1;
    }
  } finally {
    closeSync(file);
  }
  return lines;
}
