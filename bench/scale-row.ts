/** Measures one row. */
import { statSync } from 'node:fs';
import { query } from '../tests/helpers/cluster/postgres.ts';
import { ledgerIds } from './scale-ledgers.ts';
import { type Part, type Spent, sampleCpu, spentBetween } from './scale-measures.ts';
import { type Stage, type StageOptions, startStage } from './scale-stage.ts';
import { tally } from './scale-stream.ts';
import { firstClicks } from './scale-visitors.ts';
import { runWrk } from './wrk.ts';

const CONNECTIONS = 96;
const WARM_UP_S = 2;

export interface RowFigures {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Confirmed clicks, with the warm-up. */
  acknowledged: number;
  /** Answers that were not 2xx, and connections that failed. */
  failed: number;
  lost: number;
  twice: number;
  /** CPU microseconds per click. */
  cpu: Map<Part, Spent>;
  /** Time from the end of the load until the stream had every line; null: there is no stream. */
  catchUpMs: number | null;
  ledgerBytes: number;
  /** On one node; null: there is no stream. */
  storeBytes: number | null;
  /** Tables and indexes of the click index; null: SQLite. */
  indexBytes: number | null;
}

export async function measureRow(options: StageOptions, seconds: number): Promise<RowFigures> {
  const stage = await startStage(options);
  try {
    const first = await firstClicks(stage.ports, Date.now());
    const warmUp = await load(stage.url, WARM_UP_S);
    await stage.stream?.untilLines(first.length + warmUp.acknowledged);
    const before = sampleCpu();
    const until = endOf(seconds);
    const watch = stage.stream?.watch(until * 1000);
    const run = await load(stage.url, seconds, until);
    const acknowledged = first.length + warmUp.acknowledged + run.acknowledged;
    const catchUpMs = (await watch?.untilLines(acknowledged)) ?? null;
    const spent = spentBetween(before, sampleCpu());
    const failed = warmUp.failed + run.failed;
    return {
      perSecond: run.acknowledged / run.seconds,
      ...{ p50: run.p50 / 1000, p99: run.p99 / 1000 },
      ...{ acknowledged, failed, catchUpMs },
      cpu: perClick(spent, run.acknowledged),
      ...(await compare(stage, acknowledged, failed)),
      ...(await sizes(stage, acknowledged)),
    };
  } finally {
    await stage.stop();
  }
}

/** Every click that was sent has its answer at the end, so that the counts can be compared exactly. */
async function load(url: string, seconds: number, until = endOf(seconds)) {
  const began = Date.now();
  const result = await runWrk({
    ...{ url, connections: CONNECTIONS },
    // One second for the last answers, and one because wrk starts late.
    seconds: until - Math.floor(began / 1000) + 1,
    env: { BENCH_UNTIL: String(until) },
  });
  return {
    ...result,
    acknowledged: result.requests - result.failed,
    seconds: until - began / 1000,
  };
}

/** @returns seconds since 1970, because the load looks at whole seconds only */
const endOf = (seconds: number) => Math.ceil(Date.now() / 1000) + seconds;

function perClick(spent: Map<Part, Spent>, clicks: number): Map<Part, Spent> {
  const us = (seconds: number) => (seconds * 1e6) / clicks;
  return new Map(
    [...spent].map(([part, { total, busiest }]) => [
      part,
      { total: us(total), busiest: us(busiest) },
    ]),
  );
}

/** A failed click may be stored or not. */
async function compare({ stream, ledgers }: Stage, acknowledged: number, failed: number) {
  const stored = stream ? await stream.ids() : tally(await ledgerIds(ledgers));
  const lines = [...stored.values()].reduce((sum, times) => sum + times, 0);
  const unknown = Math.max(0, stored.size - acknowledged - failed);
  if (unknown > 0) throw new Error(`${unknown} clicks are stored that were not sent`);
  return { lost: Math.max(0, acknowledged - stored.size), twice: lines - stored.size };
}

async function sizes({ ledgers, stream, databaseUrl }: Stage, clicks: number) {
  const ledger = ledgers.reduce((sum, path) => sum + statSync(path).size, 0);
  const rows =
    databaseUrl &&
    (await query(
      databaseUrl,
      "SELECT sum(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits WHERE inhparent = 'clicks'::regclass",
    ));
  return {
    ledgerBytes: ledger / clicks,
    storeBytes: stream && stream.storeBytes() / clicks,
    indexBytes: rows ? Number(rows[0]?.bytes) / clicks : null,
  };
}
