/** The thread of compare-log.ts: reads each line of the log once, and asks the table for its id. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from '../database/sqlite/sqlite-file.ts';
import { firstIdSince } from './id-time.ts';

export interface ThreadData {
  /** DATA_DIR. */
  folder: string;
  /** SQLite's file. */
  database: string;
  /** Files of the log, the oldest day first. */
  files: string[];
  /** The server has deleted the clicks that it received before. Milliseconds since 1970. */
  keptSince: number;
}

interface Side {
  clicks: number;
  /** The highest id; null: there is none. */
  newest: string | null;
}

export interface Compared {
  /** The first day of the log, in UTC. */
  since: string;
  table: Side;
  log: Side;
  /** What only the log has. `files` are those with such clicks, `examples` some of their ids. */
  missing: { clicks: number; files: string[]; examples: string[] };
}

const CHUNK_BYTES = 1024 * 1024;
/** Upper bound of the missing ids that the server keeps, to see later whether they are back. */
const MOST_EXAMPLES = 50;
/**
 * Fields of a line of the log. A visitor's text cannot look like one of them, because JSON escapes
 * its quotes.
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

function compare({ database, files, keptSince }: ThreadData): Compared {
  // Not by openReader, which maps the file into memory: if the file is cut, that ends the process.
  const { db, all } = connect(database, { readOnly: true });
  const readColumn = <Value>(sql: string, values: (string | number)[]) =>
    all(sql, values).map(({ value }) => value as Value);
  const log: Side = { clicks: 0, newest: null };
  const missing = { ids: new Set<string>(), files: new Set<string>() };
  for (const file of files)
    for (const lines of chunksOf(file)) {
      const ids = [...lines.matchAll(ID_FIELD)].map(([, id = '']) => id);
      log.clicks += ids.length - (lines.match(DUPLICATE_FIELD)?.length ?? 0);
      for (const id of ids) if (log.newest === null || id > log.newest) log.newest = id;
      const lacking = new Set(readColumn<string>(FIND_MISSING_IDS, [JSON.stringify(ids)]));
      if (lacking.size === 0) continue;
      for (const id of keptOf(lines, lacking, keptSince)) {
        missing.ids.add(id);
        missing.files.add(file);
      }
    }
  const since = basename(files[0] ?? '').slice('clicks-'.length, -'.jsonl'.length);
  const begun = Date.parse(since);
  const [newest = null] = readColumn<string | null>(FIND_NEWEST_ID, []);
  const [clicks = 0] = readColumn<number>(COUNT_CLICKS_SINCE, [firstIdSince(begun), begun]);
  db.close();
  return {
    since,
    table: { clicks, newest },
    log,
    missing: {
      clicks: missing.ids.size,
      files: [...missing.files],
      examples: [...missing.ids].slice(0, MOST_EXAMPLES),
    },
  };
}

/** Yields the whole lines that the file has now, in pieces. The server appends to it meanwhile. */
function* chunksOf(file: string): Generator<string> {
  const fd = openSync(file, 'r');
  const { size } = fstatSync(fd);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = '';
  for (let at = 0; at < size; ) {
    const read = readSync(fd, chunk, 0, Math.min(CHUNK_BYTES, size - at), at);
    if (read === 0) break;
    at += read;
    const text = rest + chunk.toString('latin1', 0, read);
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    yield text.slice(0, end);
  }
  closeSync(fd);
}

/** @returns the ids of these lines whose rows the server would keep, as `site import` does */
const keptOf = (lines: string, lacking: Set<string>, keptSince: number): string[] =>
  lines.split('\n').flatMap((line) => {
    const [[, id = ''] = []] = [...line.matchAll(ID_FIELD)];
    const [, receivedAt = ''] = RECEIVED_AT_FIELD.exec(line) ?? [];
    return lacking.has(id) && Date.parse(receivedAt) >= keptSince ? [id] : [];
  });

parentPort?.postMessage(compare(workerData as ThreadData));
