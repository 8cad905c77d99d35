/** `bench:scale -- --day`: a sample of a day with 24 million clicks, with the events of a day and of the end of a month. */

import { setTimeout as wait } from 'node:timers/promises';
import type { SiteServer } from '../rehearse/layout/site-server.ts';
import { query } from '../tests/helpers/cluster/postgres.ts';
import { startEvents } from './scale-day-events.ts';
import { DAY_CLICKS, planDay, type Segment } from './scale-day-plan.ts';
import { type HourFigures, printDay } from './scale-day-report.ts';
import { watchDay } from './scale-day-watch.ts';
import { ledgerBytes, ledgerIds } from './scale-ledgers.ts';
import { type Stage, startStage } from './scale-stage.ts';
import { tally } from './scale-stream.ts';
import { firstClicks, openVisitors, type Visitors } from './scale-visitors.ts';

const DAY_MS = 86_400_000;
/** The library that moves the clocks reads the new time once a second. */
const CLOCKS_MS = 1_500;

interface Options {
  ack: 'disk' | 'replicated';
  /** Seconds for each hour. */
  hourS: number;
}

/** @returns number of clicks that were lost or stored twice */
export async function playDay(
  { ack, hourS }: Options,
  say: (text: string) => void,
): Promise<number> {
  const plan = planDay(Date.now(), hourS);
  const stage = await startStage({
    ...{ servers: 3, ack, hasOwnClocks: true },
    // All visitors together may send a hundred times as much: 10,000/s. The default ends at 1,000/s.
    settings: { RATE_LIMIT_CLICKS: '6000' },
    // The servers start in the day, because a clock that jumps by a week is distrusted.
    prepare: (servers) => setClocks(servers, (plan[0]?.from ?? 0) - Date.now()),
  });
  const visitors = openVisitors(stage.url);
  for (const id of await firstClicks(stage.ports, plan[0]?.from ?? 0)) {
    visitors.made.push(id);
    visitors.confirmed.add(id);
  }
  const watch = watchDay(stage, visitors);
  const events = startEvents(stage, visitors);
  const hours: HourFigures[] = [];
  try {
    for (const segment of plan) {
      const now = await moveClocks(stage, segment);
      watch.next();
      events.begin(segment);
      const delays = await visitors.run(segment.rate, segment.playedS, now);
      // A queue of this hour must not look like a delay of the next one.
      await visitors.settled();
      hours.push({ segment, delays, ...watch.worst() });
      process.stderr.write(`${segment.name}: ${visitors.made.length} clicks\n`);
    }
    const { user, system } = process.cpuUsage();
    const loadUs = (user + system) / visitors.made.length;
    const done = await events.finished();
    await stage.stream?.untilLines(visitors.made.length);
    const found = await compare(stage, visitors);
    const bytes = await sizes(stage, visitors.made.length);
    const { failures } = visitors;
    printDay({ ack, hours, done, found, bytes, failures, loadUs, of: DAY_CLICKS }, say);
    return found.lost + found.twice + found.countedTwice + found.notIndexed;
  } finally {
    await watch.stop();
    visitors.close();
    await stage.stop();
  }
}

/** @returns the clock that servers and visitors then have */
async function moveClocks({ servers }: Stage, { from }: Segment): Promise<() => number> {
  const offset = from - Date.now();
  setClocks(servers, offset);
  await wait(CLOCKS_MS);
  return () => Date.now() + offset;
}

function setClocks(servers: readonly SiteServer[], offsetMs: number): void {
  for (const server of servers) {
    if (!server.moveClock) throw new Error('libfaketime is missing (apt-get install libfaketime)');
    server.moveClock(offsetMs / DAY_MS);
  }
}

async function compare({ stream, ledgers, databaseUrl }: Stage, { made }: Visitors) {
  const inStream = (await stream?.ids()) ?? new Map<string, number>();
  const inLedgers = tally(await ledgerIds(ledgers));
  const [index] = await query(
    databaseUrl ?? '',
    `SELECT (SELECT sum(count) FROM clicks_per_day)::int AS counted, (SELECT count(*) FROM clicks)::int AS indexed,
       (SELECT string_agg(tableoid::regclass || ': ' || count, ', ') FROM
         (SELECT tableoid, count(*) FROM clicks GROUP BY tableoid ORDER BY tableoid) AS parts) AS partitions`,
  );
  const twice = [...inStream.values()].reduce((sum, times) => sum + times - 1, 0);
  return {
    made: made.length,
    lost: made.filter((id) => !inStream.has(id) || !inLedgers.has(id)).length,
    twice,
    /** In two ledgers, because nginx asked a second server. The index and the stream count each once. */
    inTwoLedgers: [...inLedgers.values()].filter((times) => times > 1).length,
    countedTwice: Number(index?.counted) - Number(index?.indexed),
    notIndexed: Math.max(0, made.length - Number(index?.indexed)),
    partitions: String(index?.partitions),
  };
}

async function sizes({ stream, ledgers, databaseUrl }: Stage, clicks: number) {
  const [index] = await query(
    databaseUrl ?? '',
    "SELECT sum(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits WHERE inhparent = 'clicks'::regclass",
  );
  return {
    ledger: ledgerBytes(ledgers) / clicks,
    stream: (stream?.storeBytes() ?? 0) / clicks,
    index: Number(index?.bytes) / clicks,
  };
}
