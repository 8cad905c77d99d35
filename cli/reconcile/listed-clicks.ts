/** PostHog's list of clicks in a temporary SQLite file, because it may not fit into memory. */
import { DatabaseSync } from 'node:sqlite';

export interface ListedClicks {
  add(uuid: string, copies: number): void;
  /** Is the click on the list? Remembers that it was asked for. */
  take(uuid: string): boolean;
  /** Number of clicks, and of their further copies. */
  size(): { clicks: number; repetitions: number };
  /** Yields the UUIDs that were not taken, in parts. */
  rest(): Generator<string[]>;
}

const PART = 500;

export function createListedClicks(): ListedClicks {
  const db = new DatabaseSync('');
  db.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
     CREATE TABLE listed (uuid TEXT PRIMARY KEY, copies INTEGER, taken INTEGER) WITHOUT ROWID; BEGIN`,
  );
  const insert = db.prepare(
    `INSERT INTO listed VALUES (?, ?, 0)
     ON CONFLICT DO UPDATE SET copies = copies + excluded.copies`,
  );
  const take = db.prepare('UPDATE listed SET taken = 1 WHERE uuid = ?');
  const size = db.prepare('SELECT count(*) AS clicks, total(copies) AS copies FROM listed');
  const rest = db.prepare(
    'SELECT uuid FROM listed WHERE taken = 0 AND uuid > ? ORDER BY uuid LIMIT ?',
  );
  return {
    add: (uuid, copies) => void insert.run(uuid, copies),
    take: (uuid) => take.run(uuid.toLowerCase()).changes === 1,
    size() {
      const row = size.get();
      const clicks = Number(row?.clicks);
      return { clicks, repetitions: Number(row?.copies) - clicks };
    },
    *rest() {
      let last = '';
      for (;;) {
        const part = rest.all(last, PART).map(({ uuid }) => String(uuid));
        if (part.length === 0) return;
        yield part;
        last = part.at(-1) ?? '';
      }
    },
  };
}
