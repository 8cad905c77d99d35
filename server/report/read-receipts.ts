/** Counts the receipts of clicks: what PostHog said of them. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../config.ts';

/** Receipts of `cta_click` events with the same properties. */
export interface ReceiptCount {
  verdict: string;
  /** PostHog's reason; empty: none. */
  detail: string;
  /** Whether the ledger has the click. */
  inLedger: boolean;
  receipts: number;
}

export interface ReceiptPlace extends Pick<Config, 'databaseUrl'> {
  files: Pick<Config['files'], 'receipts'>;
}

const LOCK_TIMEOUT_MS = 5000;

/**
 * @param since milliseconds since 1970 at which the clicks were made, by the browsers' clocks; before `until`
 * @returns null if there are no receipts
 * @throws the database's error
 */
export async function readReceipts(
  { databaseUrl, files }: ReceiptPlace,
  since: number,
  until: number,
): Promise<ReceiptCount[] | null> {
  const bounds = [firstId(since), firstId(until)] as const;
  if (databaseUrl) return readPostgres(databaseUrl, bounds);
  return existsSync(files.receipts) ? readSqlite(files.receipts, bounds) : null;
}

/** The smallest UUID v7 of that millisecond, because an id begins with its time. */
const firstId = (ms: number) => {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
};

function readSqlite(file: string, bounds: readonly [string, string]): ReceiptCount[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
  try {
    const rows = db
      .prepare(
        `SELECT verdict, coalesce(detail, '') AS detail, in_ledger, count(*) AS receipts
         FROM receipts
         WHERE event = 'cta_click' AND uuid >= unhex(?, '-') AND uuid < unhex(?, '-') GROUP BY 1, 2, 3`,
      )
      .all(...bounds);
    return rows.map(toCount);
  } finally {
    db.close();
  }
}

async function readPostgres(url: URL, bounds: readonly [string, string]): Promise<ReceiptCount[]> {
  const { connectPatiently } = await import('../database/connect-postgres.ts');
  const client = await connectPatiently(url);
  try {
    const { rows } = await client.query(
      `SELECT verdict, coalesce(detail, '') AS detail, in_ledger, count(*) AS receipts
       FROM posthog_receipts
       WHERE event = 'cta_click' AND uuid >= $1 AND uuid < $2 GROUP BY 1, 2, 3`,
      [...bounds],
    );
    return rows.map(toCount);
  } finally {
    await client.end();
  }
}

const toCount = (row: Record<string, unknown>): ReceiptCount => ({
  verdict: String(row.verdict),
  detail: String(row.detail),
  inLedger: isTrue(row.in_ledger),
  receipts: Number(row.receipts),
});

/** SQLite has 1 for true. */
const isTrue = (value: unknown) => value === true || value === 1;
