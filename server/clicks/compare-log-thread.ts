/**
 * The worker thread of compare-log.ts. It reads each line of the click log once, and looks up its
 * id in the table.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { connectSqlite } from '../database/sqlite/sqlite-file.ts';
import { lowestIdReceivedSince } from './id-time.ts';

export interface ThreadData {
  /** Path of DATA_DIR. */
  folder: string;
  /** Path of SQLite's file. */
  database: string;
  /** Paths of the click log's files, the oldest day first. */
  files: string[];
  /**
   * Clicks that the server received before this time are deleted by retention, so they do not count
   * as missing. Milliseconds since 1970.
   */
  keptSince: number;
}

interface ClickSummary {
  clicks: number;
  /** The highest id, which is the newest. Null: there are no clicks. */
  newest: string | null;
}

export interface ComparedClicks {
  /** The first day of the log, in UTC. */
  since: string;
  table: ClickSummary;
  log: ClickSummary;
  /**
   * Clicks that the log has and the table lacks. `files` are the log files with such clicks, and
   * `examples` some of their ids.
   */
  missing: { clicks: number; files: string[]; examples: string[] };
}

const CHUNK_BYTES = 1024 * 1024;
/** Upper bound of the example ids. The server looks later whether the table has them again. */
const MAX_EXAMPLES = 50;
/**
 * Finds fields in the raw lines of the log. A visitor's text cannot contain such a sequence,
 * because JSON escapes quotes.
 */
const ID_FIELD = /"id":"([\da-f-]{36})"/g;
const DUPLICATE_FIELD = /"duplicate":true/g;
const RECEIVED_AT_FIELD = /"received_at":"([^"]+)"/;

const FIND_MISSING_IDS = `
  SELECT value
  FROM json_each($1)
  WHERE NOT EXISTS (SELECT 1 FROM clicks WHERE id = value)`;
const FIND_NEWEST_ID = 'SELECT MAX(id) AS value FROM clicks';
const COUNT_CLICKS_SINCE = `
  SELECT COUNT(*) AS value
  FROM clicks
  WHERE id >= $1 AND received_at >= $2`;

/** Compares the files of the log with the table. */
function compare({ database, files, keptSince }: ThreadData): ComparedClicks {
  // openReader would map the file into memory. If somebody truncates a mapped file, the process
  // ends.
  const { db, all } = connectSqlite(database, { readOnly: true });
  const readColumn = <Value>(sql: string, values: (string | number)[]) =>
    all(sql, values).map(({ value }) => value as Value);
  const log: ClickSummary = { clicks: 0, newest: null };
  const missing = { ids: new Set<string>(), files: new Set<string>() };
  for (const file of files)
    for (const lines of readWholeLines(file)) {
      const ids = [...lines.matchAll(ID_FIELD)].map(([, id = '']) => id);
      log.clicks += ids.length - (lines.match(DUPLICATE_FIELD)?.length ?? 0);
      for (const id of ids) if (log.newest === null || id > log.newest) log.newest = id;
      const missingIds = new Set(readColumn<string>(FIND_MISSING_IDS, [JSON.stringify(ids)]));
      if (missingIds.size === 0) continue;
      for (const id of findKeptIds(lines, missingIds, keptSince)) {
        missing.ids.add(id);
        missing.files.add(file);
      }
    }
  const since = basename(files[0] ?? '').slice('clicks-'.length, -'.jsonl'.length);
  const firstDayMs = Date.parse(since);
  const [newest = null] = readColumn<string | null>(FIND_NEWEST_ID, []);
  const [clicks = 0] = readColumn<number>(COUNT_CLICKS_SINCE, [
    lowestIdReceivedSince(firstDayMs),
    firstDayMs,
  ]);
  db.close();
  return {
    since,
    table: { clicks, newest },
    log,
    missing: {
      clicks: missing.ids.size,
      files: [...missing.files],
      examples: [...missing.ids].slice(0, MAX_EXAMPLES),
    },
  };
}

/**
 * Yields the complete lines of a file in pieces of about 1 MB, up to the size that the file has
 * now. The server may append meanwhile.
 */
function* readWholeLines(file: string): Generator<string> {
  const fd = openSync(file, 'r');
  const { size } = fstatSync(fd);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = '';
  for (let offset = 0; offset < size; ) {
    const bytesRead = readSync(fd, chunk, 0, Math.min(CHUNK_BYTES, size - offset), offset);
    if (bytesRead === 0) break;
    offset += bytesRead;
    const text = rest + chunk.toString('latin1', 0, bytesRead);
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    yield text.slice(0, end);
  }
  closeSync(fd);
}

/**
 * Returns the missing ids whose clicks retention has not deleted. `site import` would store the
 * same clicks.
 */
const findKeptIds = (lines: string, missingIds: Set<string>, keptSince: number): string[] =>
  lines.split('\n').flatMap((line) => {
    const [[, id = ''] = []] = [...line.matchAll(ID_FIELD)];
    const [, receivedAt = ''] = RECEIVED_AT_FIELD.exec(line) ?? [];
    return missingIds.has(id) && Date.parse(receivedAt) >= keptSince ? [id] : [];
  });

parentPort?.postMessage(compare(workerData as ThreadData));
