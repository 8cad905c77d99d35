/** The receipts in PostgreSQL, shared by several servers. */
import { openPostgresQueries, type Row } from '../../database/postgres-queries.ts';
import type { Receipt } from '../receipts.ts';
import { createPostgresWaiting } from './postgres-waiting.ts';
import {
  forgottenReceipt,
  mergeReceipts,
  type ReceiptStore,
  VERDICT_ORDER,
} from './receipt-store.ts';

/** Opens the pool without a query. A missing database is noticed with the first query. */
export function openPostgresReceipts(url: URL): ReceiptStore {
  const { ask, pool } = openPostgresQueries(url);
  const waiting = createPostgresWaiting(ask);
  return {
    async record(receipts) {
      // In one order, so that two servers do not wait for each other's rows.
      const rows = mergeReceipts(receipts).sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
      if (rows.length > 0) await ask(RECORD, columnsOf(rows));
    },
    async find(uuids) {
      const rows = await ask('SELECT * FROM posthog_receipts WHERE uuid = ANY($1)', [uuids]);
      return new Map(rows.map((row) => [String(row.uuid), readReceipt(row)]));
    },
    async markInLedger(uuids) {
      await ask(
        'UPDATE posthog_receipts SET in_ledger = true WHERE uuid = ANY($1) AND NOT in_ledger',
        [uuids],
      );
    },
    async claim(uuids, { owner, forMs }) {
      const claimed = uuidsOf(await ask(CLAIM, [uuids, forMs, owner]));
      if (claimed.length === 0) return new Set();
      // In a statement of its own: the one above may not see a receipt whose sender has just ended its claim.
      const final = uuidsOf(await ask(FINAL, [claimed]));
      if (final.length > 0) await ask(RELEASE, [final]);
      const granted = new Set(claimed.filter((uuid) => !final.includes(uuid)));
      return new Set(uuids.filter((uuid) => granted.has(uuid.toLowerCase())));
    },
    async release(uuids) {
      await ask(RELEASE, [uuids]);
    },
    async abandon(owner) {
      await ask('DELETE FROM posthog_claims WHERE owner = $1', [owner]);
    },
    ...waiting,
    async position(ledger) {
      const [row] = await ask('SELECT * FROM posthog_forward_positions WHERE ledger = $1', [
        ledger,
      ]);
      if (!row) return null;
      return { file: String(row.file), offset: Number(row.offset), first: String(row.first_id) };
    },
    async setPosition(ledger, { file, offset, first }) {
      await ask(SET_POSITION, [ledger, file, offset, first]);
    },
    async forgetClicks(uuids, at) {
      await waiting.discard(uuids);
      await ask('DELETE FROM posthog_receipts WHERE uuid = ANY($1)', [uuids]);
      const rows = mergeReceipts(uuids.map((uuid) => forgottenReceipt(uuid, at)));
      if (rows.length > 0) await ask(RECORD, columnsOf(rows));
    },
    async forget({ before, othersBefore, maxOthers, limit }) {
      await ask('DELETE FROM posthog_claims WHERE until <= clock_timestamp()', []);
      const run = async (inLedger: boolean, until: Date | 'infinity', most: number) =>
        (await ask(FORGET, [inLedger, until, Math.min(limit, most)])).length;
      const old = (await run(true, before, limit)) + (await run(false, othersBefore, limit));
      const [row] = await ask(COUNT_OTHERS, []);
      const tooMany = Number(row?.others) - maxOthers;
      return old + (tooMany > 0 ? await run(false, 'infinity', tooMany) : 0);
    },
    close: () => pool.end(),
  };
}

const provesMore = `strpos('${VERDICT_ORDER}', excluded.verdict) >= strpos('${VERDICT_ORDER}', r.verdict)`;
const better = (column: string) =>
  `${column} = CASE WHEN ${provesMore} THEN excluded.${column} ELSE r.${column} END`;
const RECORD = `
  WITH sent AS (
    INSERT INTO posthog_receipts AS r
      (uuid, event, channel, protocol, verdict, detail, attempts, at, in_ledger)
    SELECT *, channel = 'ledger' FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[],
      $5::text[], $6::text[], $7::int[], $8::timestamptz[])
      AS new (uuid, event, channel, protocol, verdict, detail, attempts, at)
    ON CONFLICT (uuid) DO UPDATE SET attempts = r.attempts + excluded.attempts,
      in_ledger = r.in_ledger OR excluded.in_ledger,
      ${['protocol', 'verdict', 'detail', 'at'].map(better).join(', ')}
  )
  DELETE FROM posthog_claims WHERE uuid = ANY($1)`;
const CLAIM = `
  INSERT INTO posthog_claims AS c (uuid, owner, until)
  SELECT uuid, $3, clock_timestamp() + $2::float8 * interval '1 ms'
  FROM (SELECT DISTINCT unnest($1::uuid[]) AS uuid ORDER BY 1) AS wanted
  ON CONFLICT (uuid) DO UPDATE SET owner = excluded.owner, until = excluded.until
    WHERE c.until <= clock_timestamp()
  RETURNING uuid`;
const FINAL = "SELECT uuid FROM posthog_receipts WHERE uuid = ANY($1) AND verdict <> 'retry'";
const RELEASE = 'DELETE FROM posthog_claims WHERE uuid = ANY($1)';
const SET_POSITION = `
  INSERT INTO posthog_forward_positions (ledger, file, "offset", first_id) VALUES ($1, $2, $3, $4)
  ON CONFLICT (ledger) DO UPDATE
  SET file = excluded.file, "offset" = excluded."offset", first_id = excluded.first_id`;
const FORGET = `
  DELETE FROM posthog_receipts WHERE uuid IN
    (SELECT uuid FROM posthog_receipts WHERE in_ledger = $1 AND at < $2 ORDER BY at LIMIT $3)
  RETURNING uuid`;
const COUNT_OTHERS = 'SELECT count(*) AS others FROM posthog_receipts WHERE NOT in_ledger';

const uuidsOf = (rows: Row[]) => rows.map(({ uuid }) => String(uuid));

const columnsOf = (rows: readonly Receipt[]) =>
  (['uuid', 'event', 'channel', 'protocol', 'verdict', 'detail', 'attempts', 'at'] as const).map(
    (column) => rows.map((row) => row[column]),
  );

function readReceipt(row: Row): Receipt {
  return {
    uuid: String(row.uuid),
    event: String(row.event),
    channel: row.channel as Receipt['channel'],
    protocol: row.protocol as Receipt['protocol'],
    verdict: row.verdict as Receipt['verdict'],
    detail: row.detail === null ? null : String(row.detail),
    attempts: Number(row.attempts),
    at: (row.at as Date).toISOString(),
  };
}
