/**
 * Checks that views and log files are kept as long as promised, and that nothing of a forgotten
 * click is left.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logDays } from '#contract/log-days.ts';
import { DAY_MS, dayOf } from '../../../server/time.ts';
import { time } from '../clock.ts';
import { type Check, clicksInTable, keptSince, LATE_MS } from './check.ts';

/** No view is deleted too early. */
export const keptViews: Check = (world) => {
  const { book, database } = world;
  const ids = new Set(database.read('SELECT id FROM visits', []).map(({ id }) => String(id)));
  const since = keptSince(world);
  const missing = [...book.views.values()].filter(
    ({ id, at }) => at >= since && book.everViewed.has(id) && !ids.has(id),
  );
  return missing.map(({ id }) => `view deleted too early: ${id}`);
};

/** A view's row has `is_brief` if a server has got that mark in time, and only then. */
export const briefViews: Check = ({ book, database }) =>
  database.read('SELECT id, is_brief FROM visits', []).flatMap(({ id, is_brief }) => {
    const view = book.views.get(String(id));
    if (is_brief && !view?.isBrief) return [`marked as brief by no page: ${id}`];
    return view?.isKnownAsBrief && !is_brief ? [`brief, and not marked: ${id}`] : [];
  });

/** Forgotten clicks have no personal data, neither in the table nor in the logs. */
export const forgottenStay: Check = (world) => {
  const { book, folder } = world;
  const rows = clicksInTable(world).filter(({ id }) => book.forgotten.has(id));
  const faults = rows.flatMap((row) => {
    const isEmpty = PERSONAL.every((name) => row[name] === null);
    return isEmpty && row.forgotten_at !== null ? [] : [`forgotten, and in the table: ${row.id}`];
  });
  for (const file of globSync('*/clicks-*.jsonl', { cwd: folder }))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const [, id = ''] = /"id":"([\da-f-]{36})"/.exec(line) ?? [];
      // Lines that a full disk has cut are left out: `site forget` cannot read them.
      if (
        line.endsWith('}') &&
        book.forgotten.has(id) &&
        /visit_id|user_agent|remote_ip|page_url/.test(line)
      )
        faults.push(`forgotten, and in a log file: ${id}`);
    }
  return faults;
};
const PERSONAL = [
  'visit_id',
  'referrer',
  'page_url',
  'user_agent',
  'ip',
  'remote_ip',
  'clicked_at',
  'seq',
];

const dayOfFile = (file: string) => file.slice(-'2026-01-31.jsonl'.length, -'.jsonl'.length);

/** Log files are deleted in time, and refused clicks have a reason. */
export const logFiles: Check = ({ folder, site }) => {
  const since = time() - logDays(site) * DAY_MS;
  const oldest = dayOf(since - LATE_MS);
  const daysOf = (server: string) =>
    globSync(`${server}/clicks-*.jsonl`, { cwd: folder }).map(dayOfFile).sort();
  // A server whose newest click file is itself too old deletes no file: its clock may be wrong.
  const heldBy = ['a', 'b'].filter((server) => (daysOf(server).at(-1) ?? '') < dayOf(since));
  const files = globSync('*/{clicks,refused}-*.jsonl', { cwd: folder });
  return files.flatMap((file) => {
    const isDue = dayOfFile(file) < oldest && !heldBy.some((server) => file.startsWith(server));
    const faults = isDue ? [`log file not deleted: ${file}`] : [];
    if (!file.includes('/refused-')) return faults;
    const lines = readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);
    const wrong = lines.filter(
      (line) => line.endsWith('}') && !/"reason":"id_(ahead|too_old)"/.test(line),
    );
    return [...faults, ...wrong.map((line) => `refused: ${line.slice(0, 300)}`)];
  });
};
