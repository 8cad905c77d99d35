/** `site clicks`: prints the newest clicks, and follows them. Only a click that is asked for by its id shows its visitor. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { firstIdOf, firstIdSince } from '../clicks/id-time.ts';
import { printable } from '../text/safe-text.ts';
import { settingsOfDatabase, withReader } from './with-database.ts';

interface Options {
  ref?: string;
  /** Milliseconds since 1970. */
  since?: number;
  id?: string;
  follow?: true;
}

type Cells = [id: string, receivedAt: number, ...(string | number | boolean | null)[]];

const COLUMNS = [
  ...['id', 'received_at', 'event', 'clicked_at', 'referrer', 'utm_source', 'utm_medium'],
  ...['utm_campaign', 'utm_content', 'utm_term', 'referring_domain', 'screen_class', 'is_mobile'],
  ...['via', 'is_bot', 'is_internal', 'is_private'],
];
const OF_VISITOR = [
  ...['visit_id', 'seq', 'dropped', 'sent_at', 'page_url', 'user_agent', 'ip', 'remote_ip'],
  ...['req_id', 'is_known', 'forgotten_at'],
];
const ONE = `SELECT ${[...COLUMNS, ...OF_VISITOR]} FROM clicks WHERE id = $1`;
const SINCE = `SELECT ${COLUMNS} FROM clicks WHERE id >= $1 AND received_at >= $2
  AND ($3 = '' OR referrer = $3) ORDER BY received_at`;
/** Rows of one answer, so that they fit into the memory. */
const PAGE = 10_000;
const SHOWN = 20;
const NEWEST = `${SINCE} DESC LIMIT ${SHOWN}`;
const POLL_MS = 1000;
/** A click is in the table seconds after the server has received it, and clocks of servers differ. */
const LATE_MS = 60_000;

export async function clicks(options: Options, print: (text: string) => void): Promise<void> {
  const { ref = '', id, follow } = options;
  const columns = id === undefined ? COLUMNS : [...COLUMNS, ...OF_VISITOR];
  const show = (cells: Cells) => {
    const fields = columns.map((column, i) => [column, shownAs(column, cells[i] ?? null)]);
    print(`${printable(JSON.stringify(Object.fromEntries(fields)))}\n`);
  };
  await withReader(settingsOfDatabase(), async (reader) => {
    const read = async (sql: string, ...values: (string | number)[]): Promise<Cells[]> => {
      const rows: Cells[] = [];
      await reader.each(sql, values, (row: Cells) => rows.push(row));
      return rows;
    };
    const [one] = id === undefined ? [] : await read(ONE, id);
    if (id !== undefined && !one) throw new Error('There is no click with this id.');
    if (one) return show(one);
    let since = options.since ?? (follow ? Date.now() - LATE_MS : undefined);
    if (since === undefined) {
      const young = await read(NEWEST, firstIdSince(Date.now()), 0, ref);
      // Only a quiet table is read as a whole.
      const newest = young.length === SHOWN ? young : await read(NEWEST, firstIdOf(0), 0, ref);
      return newest.reverse().forEach(show);
    }
    for (let seen = new Set<string>(); ; ) {
      const found = await read(`${SINCE} LIMIT ${PAGE}`, firstIdSince(since), since, ref);
      for (const cells of found) if (!seen.has(cells[0])) show(cells);
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
      const isFull = found.length === PAGE;
      if (!isFull && !follow) return;
      if (!isFull) await wait(POLL_MS);
      // The next answer has no other clicks but these and new ones.
      seen = new Set(found.map(([shown]) => shown));
      const newest = found.at(-1)?.[1] ?? 0;
      since = Math.max(since, isFull ? newest : newest - LATE_MS);
    }
  });
}

function shownAs(column: string, value: Cells[number]) {
  if (value === null) return null;
  if (column.endsWith('_at')) return new Date(Number(value)).toISOString();
  return column.startsWith('is_') ? Boolean(value) : value;
}
