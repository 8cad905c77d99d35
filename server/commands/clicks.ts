/** `site clicks`: prints the newest clicks, and follows them. Only a click that is asked for by its id shows its visitor. */
import { setTimeout as wait } from 'node:timers/promises';
import { COPIED_NAMES } from '#contract/click-fields.schema.ts';
import { firstIdOf, firstIdSince } from '../clicks/id-time.ts';
import { printable } from '../text/safe-text.ts';
import { MINUTE_MS, SECOND_MS } from '../time.ts';
import { print, settingsOfDatabase, withReader } from './common.ts';

interface Options {
  ref?: string;
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
  ...COPIED_NAMES.filter((name) => !COLUMNS.includes(name)),
  ...['visit_id', 'sent_at', 'page_url', 'user_agent', 'ip', 'remote_ip', 'req_id', 'is_known'],
  'forgotten_at',
];
const ONE = `SELECT ${[...COLUMNS, ...OF_VISITOR]} FROM clicks WHERE id = $1`;
const SINCE = `SELECT ${COLUMNS} FROM clicks WHERE id >= $1 AND received_at >= $2
  AND ($3 = '' OR referrer = $3) ORDER BY received_at`;
const SHOWN = 20;
const NEWEST = `${SINCE} DESC LIMIT ${SHOWN}`;
const POLL_MS = SECOND_MS;
/** A click is in the table seconds after the server has received it, and clocks of servers differ. */
const LATE_MS = MINUTE_MS;

export async function clicks({ ref = '', since, id, follow }: Options): Promise<void> {
  const columns = id === undefined ? COLUMNS : [...COLUMNS, ...OF_VISITOR];
  const show = (cells: Cells) => {
    const fields = columns.map((column, i) => [column, shownAs(column, cells[i] ?? null)]);
    print(printable(JSON.stringify(Object.fromEntries(fields))));
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
    if (since === undefined && !follow) {
      const young = await read(NEWEST, firstIdSince(Date.now()), 0, ref);
      // Only a quiet table is read as a whole.
      const newest = young.length === SHOWN ? young : await read(NEWEST, firstIdOf(0), 0, ref);
      return newest.reverse().forEach(show);
    }
    let from = since ?? Date.now() - LATE_MS;
    for (let seen = new Set<string>(); ; ) {
      const found = new Set<string>();
      await reader.each(SINCE, [firstIdSince(from), from, ref], (cells: Cells) => {
        const [id, receivedAt] = cells;
        if (!seen.has(id)) show(cells);
        from = Math.max(from, receivedAt - LATE_MS);
        found.add(id);
      });
      if (!follow) return;
      seen = found;
      await wait(POLL_MS);
    }
  });
}

function shownAs(column: string, value: Cells[number]) {
  if (value === null) return null;
  if (column.endsWith('_at')) return new Date(Number(value)).toISOString();
  return column.startsWith('is_') ? Boolean(value) : value;
}
