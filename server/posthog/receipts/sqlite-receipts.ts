/** The receipts in node:sqlite, in a file of their own: the click index may be deleted at any time, and receipts may not. */
import { chmodSync, closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { isDamage } from '../../clicks/index/sqlite-index.ts';
import { migrate } from '../../database/migrate-sqlite.ts';
import type { Receipt } from '../receipts.ts';
import {
  forgottenReceipt,
  mergeReceipts,
  type ReceiptStore,
  VERDICT_ORDER,
} from './receipt-store.ts';
import { createSqliteWaiting } from './sqlite-waiting.ts';

/** Time to wait for the lock, which the server or an operator's command holds for a moment. */
const LOCK_TIMEOUT_MS = 100;

interface Options {
  /** Gets the new path of a damaged file. */
  onReplaced?: (movedTo: string) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
  lockTimeoutMs?: number;
}

type Row = Record<string, SQLOutputValue>;

/**
 * Opens or makes the file. Moves a damaged one aside: the forwarder then sends recent clicks again, and PostHog merges them.
 *
 * @throws when the file cannot be opened, or is from a newer version
 */
export function openSqliteReceipts(
  path: string,
  { onReplaced = () => {}, now = Date.now, lockTimeoutMs = LOCK_TIMEOUT_MS }: Options = {},
): ReceiptStore {
  const db = openOrReplace(path, onReplaced, lockTimeoutMs);
  const transaction = <T>(work: () => T): T => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (cause) {
      // SQLite has already rolled back the transaction when the disk is full.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw cause;
    }
  };
  const upsert = db.prepare(UPSERT);
  const select = db.prepare("SELECT * FROM receipts WHERE uuid = unhex(?, '-')");
  const mark = db.prepare("UPDATE receipts SET in_ledger = 1 WHERE uuid = unhex(?, '-')");
  const release = db.prepare("DELETE FROM claims WHERE uuid = unhex(?, '-')");
  const claim = db.prepare(
    `INSERT INTO claims (uuid, owner, until) VALUES (unhex(?, '-'), ?, ?)
     ON CONFLICT DO UPDATE SET owner = excluded.owner, until = excluded.until WHERE until <= ?`,
  );
  const abandon = db.prepare('DELETE FROM claims WHERE owner = ?');
  const readPosition = db.prepare('SELECT * FROM forward_positions WHERE ledger = ?');
  const setPosition = db.prepare(
    `INSERT INTO forward_positions (ledger, file, offset, first_id) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE
     SET file = excluded.file, offset = excluded.offset, first_id = excluded.first_id`,
  );
  const countOthers = db.prepare('SELECT others FROM receipt_count');
  const forget = db.prepare(FORGET);
  const remove = db.prepare("DELETE FROM receipts WHERE uuid = unhex(?, '-')");
  const waiting = createSqliteWaiting(db, transaction, now);
  const forgetClaims = db.prepare('DELETE FROM claims WHERE until <= ?');

  return {
    async record(receipts) {
      transaction(() => {
        for (const receipt of mergeReceipts(receipts)) {
          upsert.run(...valuesOf(receipt));
          release.run(receipt.uuid);
        }
      });
    },
    async find(uuids) {
      const found = new Map<string, Receipt>();
      for (const uuid of uuids) {
        const row = select.get(uuid);
        if (row) found.set(uuid.toLowerCase(), readReceipt(uuid.toLowerCase(), row));
      }
      return found;
    },
    async markInLedger(uuids) {
      transaction(() => uuids.forEach((uuid) => void mark.run(uuid)));
    },
    async claim(uuids, { owner, forMs }) {
      const at = now();
      return transaction(() => {
        const open = uuids.filter((uuid) => (select.get(uuid)?.verdict ?? 'retry') === 'retry');
        return new Set(open.filter((uuid) => claim.run(uuid, owner, at + forMs, at).changes === 1));
      });
    },
    async release(uuids) {
      transaction(() => uuids.forEach((uuid) => void release.run(uuid)));
    },
    async abandon(owner) {
      abandon.run(owner);
    },
    ...waiting,
    async position(ledger) {
      const row = readPosition.get(ledger);
      if (!row) return null;
      return { file: String(row.file), offset: Number(row.offset), first: String(row.first_id) };
    },
    async setPosition(ledger, { file, offset, first }) {
      setPosition.run(ledger, file, offset, first);
    },
    async forgetClicks(uuids, at) {
      await waiting.discard(uuids);
      transaction(() => {
        for (const uuid of uuids) {
          remove.run(uuid);
          upsert.run(...valuesOf(forgottenReceipt(uuid, at)));
          release.run(uuid);
        }
      });
    },
    async forget({ before, othersBefore, maxOthers, limit }) {
      forgetClaims.run(now());
      const run = (inLedger: 0 | 1, until: string, most: number) =>
        Number(forget.run(inLedger, until, Math.min(limit, most)).changes);
      const old = run(1, before.toISOString(), limit) + run(0, othersBefore.toISOString(), limit);
      const tooMany = Number(countOthers.get()?.others) - maxOthers;
      return old + (tooMany > 0 ? run(0, '9999', tooMany) : 0);
    },
    async close() {
      db.close();
    },
  };
}

const provesMore = `instr('${VERDICT_ORDER}', excluded.verdict) >= instr('${VERDICT_ORDER}', verdict)`;
const better = (column: string) =>
  `${column} = CASE WHEN ${provesMore} THEN excluded.${column} ELSE ${column} END`;
const UPSERT = `
  INSERT INTO receipts (uuid, event, channel, protocol, verdict, detail, attempts, at, in_ledger)
  VALUES (unhex(?, '-'), ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET attempts = attempts + excluded.attempts,
    in_ledger = max(in_ledger, excluded.in_ledger),
    ${['protocol', 'verdict', 'detail', 'at'].map(better).join(', ')}`;
const FORGET = `
  DELETE FROM receipts WHERE uuid IN
    (SELECT uuid FROM receipts WHERE in_ledger = ? AND at < ? ORDER BY at LIMIT ?)`;

const valuesOf = (receipt: Receipt) =>
  [
    ...[receipt.uuid, receipt.event, receipt.channel, receipt.protocol, receipt.verdict],
    ...[receipt.detail, receipt.attempts, receipt.at, Number(receipt.channel === 'ledger')],
  ] as const;

function readReceipt(uuid: string, row: Row): Receipt {
  return {
    uuid,
    event: String(row.event),
    channel: row.channel as Receipt['channel'],
    protocol: row.protocol as Receipt['protocol'],
    verdict: row.verdict as Receipt['verdict'],
    detail: row.detail === null ? null : String(row.detail),
    attempts: Number(row.attempts),
    at: String(row.at),
  };
}

function openOrReplace(
  path: string,
  onReplaced: (movedTo: string) => void,
  lockTimeoutMs: number,
): DatabaseSync {
  try {
    return openPrivately(path, lockTimeoutMs);
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    const movedTo = `${path}.damaged-${new Date().toISOString().replaceAll(':', '')}`;
    renameSync(path, movedTo);
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    onReplaced(movedTo);
    return openPrivately(path, lockTimeoutMs);
  }
}

/** Opens the file so that only this user can read it, because waiting events describe visitors' browsers. */
function openPrivately(path: string, timeout: number): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path, { timeout });
  try {
    // A power cut may lose the last receipts. Their events are then sent again, and PostHog merges them.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -1024');
    migrate(db, 'posthog');
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}
