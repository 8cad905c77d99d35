/**
 * All that the server deletes by its age: rows, personal columns, and the log files of this server.
 */
import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { logDays } from '#contract/log-days.ts';
import { type DailyFile, listDailyFiles } from './clicks/daily-file.ts';
import { createEmptying, firstDayToEmpty } from './clicks/empty-old-clicks.ts';
import { clicksKeptSince, firstIdOf, firstIdSince, identifiedSince } from './clicks/id-time.ts';
import { type Database, type Value, write } from './database/database.ts';
import { type OldPart, PART, UNANNOUNCED } from './deletion-rules.ts';
import { ID_AHEAD_MS } from './http/browser-clock.ts';
import { DAY_MS, dayOf } from './time.ts';

/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;
/** Upper bound of the counted old rows. A larger number counts as a large part. */
const MOST_COUNTED = 100_000;

export interface OldData {
  /** For messages: `clicks older than 30 days`. */
  name: string;
  /** Returns the time before which it is too old. Milliseconds since 1970. */
  before(now: number): number;
  measure(before: number): Promise<OldPart>;
  /** Deletes a slice. Returns how many rows or files it was, and whether no more are left. */
  deleteSlice(before: number, now: number): Promise<{ done: number; isLast: boolean }>;
  /** Overwrites what is left in the database's files. */
  finish?(): Promise<void>;
}

export interface OldDataParts {
  db: Database;
  /** Folder of the log files. */
  folder: string;
  site: Pick<BuiltSite, 'clickRetentionDays' | 'personalDataDays' | 'registrationRetentionDays'>;
}

/** @returns what this site's settings let the server delete */
export function listOldData({ db, folder, site }: OldDataParts): OldData[] {
  const all: OldData[] = [oldLogs(folder, 'clicks', site), oldLogs(folder, 'refused', site)];
  const { clickRetentionDays: clickDays, personalDataDays: personalDays } = site;
  const { registrationRetentionDays: registrationDays } = site;
  if (clickDays > 0) all.push(oldClicks(db, clickDays), oldVisits(db, clickDays));
  if (personalDays > 0) all.push(personalData(db, personalDays));
  const [eventDays = 0] = [personalDays, clickDays].filter(Boolean).sort((a, b) => a - b);
  if (eventDays > 0) all.push(...oldEvents(db, eventDays));
  if (registrationDays > 0) all.push(oldRegistrations(db, registrationDays));
  return all;
}

/**
 * Ids of the newest rows have times of browsers' clocks, so the newest row is among the last ids.
 */
const FIND_NEWEST_CLICK = `
  SELECT MAX(received_at) AS at
  FROM (SELECT received_at FROM clicks ORDER BY id DESC LIMIT 1000) AS newest`;
const FIND_NEWEST_VISIT = 'SELECT MAX(viewed_at) AS at FROM visits';
const FIND_NEWEST_EVENT = 'SELECT MAX(queued_at) AS at FROM posthog_outbox';
const FIND_NEWEST_REGISTRATION = 'SELECT MAX(registered_at) AS at FROM registrations';

/** A condition of rows, and its values, which begin with $1. */
type Where = [condition: string, ...values: Value[]];

interface Rows {
  db: Database;
  table: string;
  /** Column of the primary key: `id` if left out. */
  key?: string;
  old: Where;
  others: Where;
  /** Queries of the newest time. */
  newest: string[];
}

async function measureRows({ db, table, old, others, newest }: Rows, before: number) {
  const count = async ([condition, ...values]: Where, limit: number) => {
    const sql = `
      SELECT COUNT(*) AS n
      FROM (SELECT 1 FROM ${table} WHERE ${condition} LIMIT ${limit}) AS counted`;
    const [{ n = 0 } = {}] = await write(db, sql, values);
    return Number(n);
  };
  const found = await count(old, MOST_COUNTED);
  if (found === 0) return { old: 0, isLargePart: false, isNewestOld: false };
  const times = await Promise.all(newest.map((sql) => write(db, sql, [])));
  const newestAt = Math.max(...times.map(([row]) => Number(row?.at ?? 0)));
  // The old rows are at most a tenth of all if there are nine times as many others.
  const needed = (PART - 1) * found;
  const areOthersFew = found <= UNANNOUNCED || (await count(others, needed)) < needed;
  const isLargePart = areOthersFew || found === MOST_COUNTED;
  return { old: found, isLargePart, isNewestOld: newestAt < before };
}

async function deleteRows({ db, table, key = 'id', old }: Rows, order: string) {
  const [condition, ...values] = old;
  const sql = `
    DELETE FROM ${table}
    WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ${SLICE})
    RETURNING ${key}`;
  const { length } = await write(db, sql, values);
  return { done: length, isLast: length < SLICE };
}

/** Ids of clicks begin with their time, so they bound the part of the table that is read. */
const clicksBefore = (before: number): Pick<Rows, 'table' | 'old' | 'others' | 'newest'> => ({
  table: 'clicks',
  old: ['received_at < $1 AND id < $2', before, firstIdOf(before + ID_AHEAD_MS)],
  others: ['received_at >= $1 AND id >= $2', before, firstIdSince(before)],
  newest: [FIND_NEWEST_CLICK],
});

function oldClicks(db: Database, days: number): OldData {
  return {
    name: `clicks older than ${days} days`,
    before: (now) => clicksKeptSince(days, now),
    measure: (before) => measureRows({ db, ...clicksBefore(before) }, before),
    deleteSlice: (before) => deleteRows({ db, ...clicksBefore(before) }, 'id'),
  };
}

function oldVisits(db: Database, days: number): OldData {
  const rows = (before: number): Rows => ({
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

function oldRegistrations(db: Database, days: number): OldData {
  const rows = (before: number): Rows => ({
    db,
    table: 'registrations',
    old: ['registered_at < $1', before],
    others: ['registered_at >= $1', before],
    // Few people register, and a click shows as well that the site has run since.
    newest: [FIND_NEWEST_REGISTRATION, FIND_NEWEST_CLICK],
  });
  return {
    name: `registrations older than ${days} days`,
    before: (now) => now - days * DAY_MS,
    measure: (before) => measureRows(rows(before), before),
    deleteSlice: (before) => deleteRows(rows(before), 'registered_at'),
    // Tables with personal data, of which nothing may remain in the database's files.
    finish: () => db.overwriteDeleted(['registrations', 'mail_outbox']),
  };
}

function personalData(db: Database, days: number): OldData {
  const { emptySlice } = createEmptying(db);
  return {
    name: `personal data of clicks older than ${days} days`,
    before: (now) => identifiedSince(days, now),
    async measure(before) {
      const first = await firstDayToEmpty(db, before);
      if (first === null) return { old: 0, isLargePart: false, isNewestOld: false };
      const rows = clicksBefore(before);
      const [condition, ...values] = rows.old;
      const old: Where = [`${condition} AND received_at >= $3`, ...values, first];
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
function oldEvents(db: Database, days: number): OldData[] {
  // By two conditions, because each has an index.
  const kinds = [
    { name: `events that PostHog refused, older than ${days} days`, which: 'refused IS NOT NULL' },
    { name: `events that wait for PostHog, older than ${days} days`, which: 'refused IS NULL' },
  ];
  return kinds.map(({ name, which }) => {
    const rows = (before: number): Rows => ({
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
      measure: (before) => measureRows(rows(before), before),
      deleteSlice: (before) => deleteRows(rows(before), 'queued_at'),
    };
  });
}

/** @param name `clicks` or `refused` */
function oldLogs(folder: string, name: string, site: OldDataParts['site']): OldData {
  const isOld = (before: number) => (file: DailyFile) => file.day < dayOf(before);
  return {
    name: `log files ${name}-DATE.jsonl older than ${logDays(site)} days`,
    before: (now) => now - logDays(site) * DAY_MS,
    async measure(before) {
      const files = listDailyFiles(folder, name);
      const old = files.filter(isOld(before));
      // Few clicks are refused, and a click shows as well that the site has run since.
      const newest = [files, listDailyFiles(folder, 'clicks')].map((list) => list.at(-1));
      return {
        old: old.reduce((lines, file) => lines + countLines(file), 0),
        isLargePart: PART * sizeOf(old) > sizeOf(files),
        isNewestOld: newest.every((file) => file === undefined || isOld(before)(file)),
      };
    },
    async deleteSlice(before) {
      const old = listDailyFiles(folder, name).filter(isOld(before));
      for (const { path } of old) rmSync(path, { force: true });
      return { done: old.length, isLast: true };
    },
  };
}

const sizeOf = (files: DailyFile[]): number =>
  files.reduce((bytes, { path }) => bytes + statSync(path).size, 0);

const CHUNK_BYTES = 64 * 1024;

/** @returns the lines of a file, at least 1, and not many more than the rules ask for */
function countLines({ path }: DailyFile): number {
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let lines = 1;
  try {
    for (let size = -1; size !== 0 && lines <= UNANNOUNCED + 1; ) {
      size = readSync(file, chunk);
      for (let at = chunk.indexOf('\n'); at >= 0 && at < size; at = chunk.indexOf('\n', at + 1))
        lines += 1;
    }
  } finally {
    closeSync(file);
  }
  return lines;
}
