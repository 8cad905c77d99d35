/** Prints the day's tables. */
import type { Happened } from './scale-day-events.ts';
import type { Segment } from './scale-day-plan.ts';
import type { Worst } from './scale-day-watch.ts';

export interface HourFigures extends Worst {
  segment: Segment;
  /** Milliseconds from each click's due time to its confirmation. */
  delays: readonly number[];
}

export interface DayFigures {
  ack: string;
  hours: readonly HourFigures[];
  done: readonly Happened[];
  found: {
    made: number;
    lost: number;
    twice: number;
    inTwoLedgers: number;
    countedTwice: number;
    notIndexed: number;
    partitions: string;
  };
  /** Bytes per click; of the stream on one node. */
  bytes: { ledger: number; stream: number; index: number };
  failures: ReadonlyMap<number, number>;
  loadUs: number;
  /** Clicks of the whole day. */
  of: number;
}

export function printDay(day: DayFigures, say: (text: string) => void): void {
  say(`ACK=${day.ack}\n\n${hourTable(day.hours)}\n\n${eventTable(day.done)}\n\n${sumTable(day)}`);
}

function hourTable(hours: readonly HourFigures[]): string {
  const rows = hours.map(({ segment, delays, behind, serversMb, natsMb }) => {
    const sorted = [...delays].sort((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
    const cells = [
      ...[segment.name, `${segment.playedS} of ${segment.dayS}`, segment.rate.toFixed(0)],
      ...[number(delays.length), at(0.5), at(0.99), sorted.at(-1)?.toFixed(0) ?? '–'],
      ...[number(behind), serversMb.toFixed(0), natsMb.toFixed(0)],
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| hour (UTC) | s played | clicks/s | clicks | p50 ms | p99 ms | longest ms | stream behind, lines | servers MB | NATS MB |',
    `|---|${'---:|'.repeat(9)}`,
    ...rows,
  ].join('\n');
}

function eventTable(done: readonly Happened[]): string {
  const rows = done.map(
    ({ hour, name, took, result }) => `| ${hour} | ${name} | ${took.toFixed(1)} | ${result} |`,
  );
  return ['| hour (UTC) | event | s | |', '|---|---|---:|---|', ...rows].join('\n');
}

function sumTable({ found, bytes, failures, of, hours, loadUs }: DayFigures): string {
  const answers = [...failures].map(([status, times]) => `${status || 'no answer'}: ${times}`);
  const wholeDay = (perClick: number) => `${((perClick * of) / 1e9).toFixed(1)} GB`;
  const rows = [
    ['clicks', number(found.made)],
    ['**lost**: missing in the stream or in the ledgers', found.lost],
    ['**twice** in the stream', found.twice],
    ['counted twice by the index', found.countedTwice],
    ['missing in the index', found.notIndexed],
    ['in two ledgers, because nginx asked a second server; counted once', found.inTwoLedgers],
    ['CPU of the load itself, µs a click', loadUs.toFixed(0)],
    ['attempts that failed, and were made again', answers.join(', ') || 0],
    ['rows in the index by month', found.partitions],
    ['servers’ memory, last six hours ÷ the six before', ratio(hours, 'serversMb')],
    ['NATS memory, last six hours ÷ the six before', ratio(hours, 'natsMb')],
    ...(['ledger', 'stream', 'index'] as const).map((part) => [
      `${part}, bytes a click → all ${of / 1e6} million`,
      `${bytes[part].toFixed(0)} → ${wholeDay(bytes[part])}`,
    ]),
  ];
  return ['| | |', '|---|---:|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join(
    '\n',
  );
}

/** Means of the last six hours, and of the six before them. */
function ratio(hours: readonly HourFigures[], what: 'serversMb' | 'natsMb'): string {
  const mean = (some: readonly HourFigures[]) =>
    some.reduce((sum, hour) => sum + hour[what], 0) / some.length;
  const [last, before] = [hours.slice(-6), hours.slice(-12, -6)].map(mean);
  return `${last?.toFixed(0)} MB ÷ ${before?.toFixed(0)} MB = ${((last ?? 0) / (before ?? 1)).toFixed(2)}`;
}

const number = (value: number) => value.toLocaleString('en');
