/** Prints the rows as tables, and says which part is full first. */
import { PARTS, type Part } from './scale-measures.ts';
import type { RowFigures } from './scale-row.ts';
import type { StageOptions } from './scale-stage.ts';

export type Measured = ReadonlyMap<string, readonly RowFigures[]>;

/** One line per row: the round in the middle by clicks per second, and the range of all rounds. */
export function tableOf(measured: Measured): string {
  const head = `| | clicks/s | p50 ms | p99 ms | ${PARTS.map((part) => `${part} µs`).join(' | ')} |`;
  const rows = [...measured].map(([name, rounds]) => {
    const { perSecond, p50, p99, cpu } = middle(rounds);
    const spent = PARTS.map((part) => cpu.get(part)?.total.toFixed(0) ?? '–');
    const cells = [name, rate(perSecond) + range(rounds), digits(p50), digits(p99), ...spent];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    head,
    `|---|${'---:|'.repeat(PARTS.length + 3)}`,
    ...rows,
    '',
    storedTable(measured),
  ].join('\n');
}

/** The sums of all rounds. */
function storedTable(measured: Measured): string {
  const head =
    '| | acknowledged | failed | lost | double | stream complete after | ledger B | stream B | index B |';
  const rows = [...measured].map(([name, rounds]) => {
    const sum = (of: (row: RowFigures) => number) =>
      rounds.reduce((total, row) => total + of(row), 0).toLocaleString('en');
    const { ledgerBytes, storeBytes, indexBytes } = middle(rounds);
    const longest = Math.max(...rounds.map(({ catchUpMs }) => catchUpMs ?? Number.NaN));
    const cells = [
      name,
      ...[sum((row) => row.acknowledged), sum((row) => row.failed)],
      ...[sum((row) => row.lost), sum((row) => row.twice)],
      Number.isNaN(longest) ? '–' : `${(longest / 1000).toFixed(1)} s`,
      ...[ledgerBytes, storeBytes, indexBytes].map((bytes) => bytes?.toFixed(0) ?? '–'),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [head, `|---|${'---:|'.repeat(8)}`, ...rows].join('\n');
}

/** The cores that a part can use, where it is alone on its machine. */
function coresOf(part: Part, servers: number): number {
  const cores: Record<Part, number> = {
    // One thread runs JavaScript. Its threads for the disk are counted as if they took time from it.
    servers,
    // A stream has one leader, whose work is counted as one core's.
    NATS: 1,
    // Each server has one connection.
    PostgreSQL: servers,
    Redis: 1,
    nginx: 2,
    load: Number.POSITIVE_INFINITY,
  };
  return cores[part];
}

/** Computed from CPU per click: which part is full first if each part has its own machine. */
export function describeCeilings(
  measured: Measured,
  stages: Readonly<Record<string, StageOptions>>,
): string {
  const lines = [...measured].map(([name, rounds]) => {
    const { cpu } = middle(rounds);
    const servers = stages[name]?.servers ?? 1;
    const ceilings = PARTS.flatMap((part) => {
      const spent = cpu.get(part);
      // Of the three nodes, the leader is the busiest one.
      const us = part === 'NATS' ? spent?.busiest : spent?.total;
      return us && us > 0.5 ? [{ part, perSecond: (coresOf(part, servers) * 1e6) / us }] : [];
    }).filter(({ perSecond }) => Number.isFinite(perSecond));
    ceilings.sort((a, b) => a.perSecond - b.perSecond);
    const [first, second] = ceilings.map(
      ({ part, perSecond }) => `${part} at ${rate(perSecond)}/s`,
    );
    return `- ${name}: ${first}${second ? `, then ${second}` : ''}`;
  });
  return `\nFull first, computed from CPU per click, each part on its own machine:\n${lines.join('\n')}`;
}

function middle(rounds: readonly RowFigures[]): RowFigures {
  const sorted = [...rounds].sort((a, b) => a.perSecond - b.perSecond);
  const row = sorted[Math.floor(sorted.length / 2)];
  if (!row) throw new Error('A row has no round');
  return row;
}

function range(rounds: readonly RowFigures[]): string {
  const rates = rounds.map(({ perSecond }) => perSecond);
  return rounds.length > 1 ? ` (${rate(Math.min(...rates))}–${rate(Math.max(...rates))})` : '';
}

const rate = (perSecond: number) => (Math.round(perSecond / 100) * 100).toLocaleString('en');
const digits = (ms: number) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0));
