/** The click index in node:sqlite. */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { migrate } from '../../database/migrate-sqlite.ts';
import type { LedgerPosition } from '../ledger/ledger.ts';
import type { ClickCounts, ClickIndex } from './click-index.ts';
import { countRows } from './count-rows.ts';

/** SQLite's error codes for a damaged file, or one that is not a database. */
const DAMAGED = new Set([11 /* SQLITE_CORRUPT */, 26 /* SQLITE_NOTADB */]);

/** Upper bound of a file that is checked in full, which then takes a fraction of a second. */
const CHECKED_BYTES = 32 * 1024 * 1024;

/**
 * Opens or makes the index. Moves a damaged one aside, because the ledger can fill a new one.
 *
 * @param onReplaced gets the new path of a damaged file
 */
export function openSqliteIndex(path: string, onReplaced: (movedTo: string) => void): ClickIndex {
  const replaceDamaged = () => {
    const movedTo = `${path}.damaged-${new Date().toISOString().replaceAll(':', '')}`;
    renameSync(path, movedTo);
    removeCompanions(path);
    onReplaced(movedTo);
    return createIndex(openChecked(path));
  };
  const open = () => {
    if (!existsSync(path)) removeCompanions(path);
    try {
      return createIndex(openChecked(path));
    } catch (cause) {
      if (isDamage(cause)) return replaceDamaged();
      throw cause;
    }
  };
  let index = open();
  return {
    commitGroup: (rows, persist) => index.commitGroup(rows, persist),
    async ping() {},
    position: () => index.position(),
    counts: () => index.counts(),
    close: () => index.close(),
    // SQLite runs in this process, so the result of a commit is always known.
    mayHaveCommitted: () => false,
    isAway: () => false,
    forgottenBefore: async () => null,
    isDamaged: isDamage,
    renew() {
      index.close();
      index = replaceDamaged();
    },
  };
}

export function isDamage(cause: unknown): boolean {
  return DAMAGED.has((cause as { errcode?: number }).errcode ?? 0);
}

/** Removes the journal of a missing file, because SQLite would apply it to the new one. */
function removeCompanions(path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
}

function openChecked(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    // The ledger is on the disk before a transaction ends, and restores the index after a power cut. Ids grow with time,
    // so few pages are in use at once. SQLite scans its whole cache at the end of a transaction.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -1024');
    migrate(db, 'clicks');
    if (statSync(path).size <= CHECKED_BYTES) checkIntegrity(db);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

function checkIntegrity(db: DatabaseSync): void {
  const answer = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (answer !== 'ok') throw Object.assign(new Error(String(answer)), { errcode: 11 });
}

function createIndex(
  db: DatabaseSync,
): Pick<ClickIndex, 'commitGroup' | 'position' | 'counts' | 'close'> {
  // 16 bytes instead of 36 characters halve the tree.
  const insert = db.prepare(
    "INSERT INTO clicks (id) VALUES (unhex(?, '-')) ON CONFLICT DO NOTHING",
  );
  const count = db.prepare(
    `INSERT INTO clicks_per_day (day, event, is_bot, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  const setPosition = db.prepare(
    `INSERT INTO ledger_position (one, file, offset, first_id) VALUES (1, ?, ?, ?)
     ON CONFLICT DO UPDATE
     SET file = excluded.file, offset = excluded.offset, first_id = excluded.first_id`,
  );
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const counters = readCounters(db);

  return {
    async commitGroup(rows, persist) {
      begin.run();
      try {
        const fresh = rows.map((row) => insert.run(row.id).changes === 1);
        const position = await persist(fresh);
        const counts = countRows(rows, fresh);
        for (const { day, event, isBot, n } of counts) count.run(day, event, Number(isBot), n);
        const { file, offset, first } = position;
        if (first !== '') setPosition.run(file, offset, first);
        commit.run();
        for (const { day, event, isBot, n } of counts) if (!isBot) counters.add(day, event, n);
        return fresh;
      } catch (cause) {
        // A full disk ends the transaction by itself.
        if (db.isTransaction) db.exec('ROLLBACK');
        throw cause;
      }
    },
    position: async () => readPosition(db.prepare('SELECT * FROM ledger_position')),
    counts: async () => counters,
    close: async () => db.close(),
  };
}

/** Counts people's clicks in memory, because a transaction may be open at a read. One entry per day and event. */
function readCounters(db: DatabaseSync) {
  const total = new Map<string, number>();
  const perDay = new Map<string, Map<string, number>>();
  const add = (day: string, event: string, n: number) => {
    const ofDay = perDay.get(day) ?? new Map<string, number>();
    perDay.set(day, ofDay);
    for (const counts of [total, ofDay]) counts.set(event, (counts.get(event) ?? 0) + n);
  };
  for (const { day, event, count } of db.prepare(PEOPLES_CLICKS).all()) {
    add(String(day), String(event), Number(count));
  }
  return { total, perDay, add } satisfies ClickCounts & { add: unknown };
}

const PEOPLES_CLICKS = 'SELECT day, event, count FROM clicks_per_day WHERE is_bot = 0';

function readPosition(select: StatementSync): LedgerPosition | null {
  const row = select.get();
  if (!row) return null;
  return { file: String(row.file), offset: Number(row.offset), first: String(row.first_id) };
}
