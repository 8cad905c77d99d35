/**
 * Does what an operator does with the program `site`: forgets a visitor, deletes a registration or
 * old data, makes a backup, and imports logs.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { logDays } from '#contract/log-days.ts';
import { blankLines } from '../../server/clicks/blank-lines.ts';
import type { ClickRow } from '../../server/clicks/click.ts';
import { logForgotten } from '../../server/clicks/click-log.ts';
import { findVisitor, forgetClicks, type Visitor } from '../../server/clicks/forget-clicks.ts';
import { clicksKeptSince, identifiedSince } from '../../server/clicks/id-time.ts';
import { importClicks, readClickLine } from '../../server/clicks/import-clicks.ts';
import { resendClicks } from '../../server/clicks/resend-clicks.ts';
import { openReader } from '../../server/database/open-reader.ts';
import { copyDatabase } from '../../server/database/sqlite/copy-database.ts';
import { listOldData } from '../../server/old-data.ts';
import { hashEmail } from '../../server/registrations/hash-email.ts';
import { DELETE_REGISTRATION } from '../../server/registrations/store-registrations.ts';
import { DAY_MS, dayOf, SECOND_MS } from '../../server/time.ts';
import { coreOf } from './book.ts';
import { advance, time } from './clock.ts';
import { operatorsDatabase } from './database.ts';
import { observe } from './observe.ts';
import type { World } from './world.ts';

/**
 * Forgets a visit in the order of server/commands/forget.ts, as if the command ran on the machine
 * of server `a`: writes its own lines, then empties the rows, then the lines in each server's logs.
 */
export async function forgetVisit(world: World, visitId: string): Promise<void> {
  const { book, database, folder } = world;
  const reader = await openReader([], database.file);
  const visitor = await findVisitor(reader, visitId, null);
  await reader.close();
  try {
    logForgotten(join(folder, 'a'), visitor.clicks.values(), time());
  } catch {
    // The disk is full. The command ends with this error, and has forgotten nothing.
    return;
  }
  for (const id of [...visitor.clicks.keys(), ...visitor.events])
    if (!book.forgotten.has(id)) book.forgotten.set(id, time());
  for (const view of book.views.values())
    if (visitor.visits.has(view.visitId)) view.isForgotten = true;
  await forgetFound(world, visitor);
  for (const name of ['a', 'b']) blankLines(join(folder, name), visitor);
}

const forgetFound = ({ database }: World, { clicks, events }: Visitor) =>
  forgetClicks(operatorsDatabase(database), [...clicks.keys(), ...events], time());

/** By then, every answer to a request has arrived. */
const LONGEST_ANSWER_MS = 10 * SECOND_MS;

/** Deletes the registration of an address, in any spelling. */
export async function deleteRegistration(world: World, email: string): Promise<void> {
  const { book, database, servers } = world;
  const [key] = servers[0]?.ring ?? [];
  if (!key) return;
  await database.inTransaction(({ run }) => run(DELETE_REGISTRATION, [hashEmail(key, email)]));
  // An answer from before the deletion may still arrive, and would be noted in the book.
  await advance(LONGEST_ANSWER_MS);
  book.registered.delete(email);
  for (const other of [...book.registered.keys()])
    if (hashEmail(key, other) === hashEmail(key, email)) book.registered.delete(other);
}

/**
 * Lists the log files and the operator's copies of them. Copies may be older than a `site forget`;
 * the files themselves say which clicks were forgotten. Copies are kept as long as the files.
 */
function filesToImport({ folder, site }: World): string[] {
  const oldest = dayOf(time() - logDays(site) * DAY_MS);
  const copies = globSync(`${COPIES}/*/clicks-*.jsonl`, { cwd: folder });
  const keptCopies = copies.filter((file) => file.slice(-'2026-01-31.jsonl'.length) >= oldest);
  return [...keptCopies, ...globSync('*/clicks-*.jsonl', { cwd: folder })].sort();
}

/** Imports all log files, as `site import` does, and then sends all clicks to PostHog again. */
async function importLogs(world: World): Promise<void> {
  const { database, folder, site, book } = world;
  const clicks: ClickRow[] = [];
  const since = identifiedSince(site.personalDataDays, time());
  for (const file of filesToImport(world))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const read = readClickLine(line, site.logIp, since);
      if ('click' in read) clicks.push(read.click);
      // A full disk or `site forget` may have left a piece of a line.
      else if (!read.fault.startsWith('not JSON') && line.trim() !== '{}')
        book.complain(`a line cannot be imported (${read.fault}): ${line.slice(0, 200)}`);
    }
  const keptSince =
    site.clickRetentionDays > 0 ? clicksKeptSince(site.clickRetentionDays, time()) : 0;
  const db = operatorsDatabase(database);
  const kept = clicks.filter(({ received_at }) => received_at >= keptSince);
  await importClicks(db, kept, time());
  await resendClicks(db, since);
  world.resentAt = time();
  const there = new Set(database.read('SELECT id FROM clicks', []).map(({ id }) => id));
  for (const { id } of kept) if (!there.has(id)) book.complain(`in the log, not imported: ${id}`);
}

/** Folder of the copied log files. */
const COPIES = 'copies';
/** Tables that `backUp` compares. Their rows have an id. */
const COMPARED_TABLES = ['clicks', 'visits', 'registrations', 'mail_outbox'];

/**
 * Copies database and logs while the servers write. Checks that the copy of the database is intact
 * and has all committed rows.
 */
export async function backUp({ book, database, folder }: World): Promise<void> {
  const copy = join(folder, 'backup.db');
  copyDatabase(database.file, copy);
  for (const file of globSync('*/clicks-*.jsonl', { cwd: folder })) {
    const target = join(folder, COPIES, file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(folder, file), target);
  }
  const [original, copied] = [await openReader([], database.file), await openReader([], copy)];
  const idsIn = async (reader: typeof copied, table: string) => {
    const ids: string[] = [];
    await reader.each(`SELECT id FROM ${table} ORDER BY id`, [], ([id]: [string]) => ids.push(id));
    return ids.join();
  };
  for (const table of COMPARED_TABLES)
    if ((await idsIn(original, table)) !== (await idsIn(copied, table)))
      book.complain(`the backup has other rows of ${table}`);
  await copied.each('PRAGMA integrity_check', [], ([text]: [string]) => {
    if (text !== 'ok') book.complain(`the backup is damaged: ${text}`);
  });
  await Promise.all([original.close(), copied.close()]);
}

/** Deletes old data on both machines, as `site retention --yes` does. */
export async function confirmRetention({ database, folder, site }: World): Promise<void> {
  const db = operatorsDatabase(database);
  for (const name of ['a', 'b'])
    for (const data of listOldData({ db, folder: join(folder, name), site }))
      for (let isLast = false; !isLast; )
        isLast = (await data.deleteSlice(data.before(time()), time())).isLast;
}

/**
 * Deletes all clicks and rebuilds their tables from the logs. A click without a log line is lost,
 * as documented, so that it is no longer owed.
 */
export async function rebuildTable(world: World): Promise<void> {
  const { book, database } = world;
  observe(world);
  for (const server of world.servers) server.kill();
  await database.inTransaction(async ({ run }) => {
    await run('DELETE FROM clicks');
    await run('DELETE FROM click_counts');
    await run('DELETE FROM posthog_outbox WHERE event IS NULL');
  });
  await importLogs(world);
  const ids = new Set(database.read('SELECT id FROM clicks', []).map(({ id }) => id));
  for (const id of book.stored.keys()) {
    if (ids.has(id)) continue;
    const press = book.pressed.get(coreOf(id));
    if (press) press.isOwed = false;
  }
  for (const id of book.forgotten.keys())
    if (!ids.has(id) && book.pressed.has(coreOf(id))) book.forgotten.delete(id);
  // A rebuilt row may be of another attempt than before, so that the book is filled from the new
  // rows.
  book.stored.clear();
  await world.startServers();
}
