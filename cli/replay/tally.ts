/** Counts what a replay did, and describes it. */
import type { LeftOut } from '../../server/posthog/from-ledger.ts';
import type { Receipt } from '../../server/posthog/receipts.ts';

/** Numbers by PostHog's tags. */
type ByDetail = Map<string, number>;

export interface Tally {
  sent: number;
  ok: number;
  warning: number;
  accepted: number;
  refused: ByDetail;
  overQuota: number;
  unknown: ByDetail;
  /** Have a final receipt of an earlier request. */
  before: number;
  /** Another sender is sending them just now. */
  held: number;
  /** Not sent, because of --limit or after a fault. */
  skipped: number;
  leftOut: Record<LeftOut, number>;
}

export const newTally = (): Tally => ({
  ...{ sent: 0, ok: 0, warning: 0, accepted: 0, overQuota: 0, before: 0, held: 0, skipped: 0 },
  refused: new Map(),
  unknown: new Map(),
  leftOut: { robot: 0, private: 0, perhaps_private: 0, unknown_cta: 0 },
});

type Answer = Pick<Receipt, 'verdict' | 'detail' | 'attempts'>;

/** Counts PostHog's answer about one event. */
export function countAnswer(
  tally: Tally,
  { verdict, detail, attempts }: Answer,
  isOverQuota: boolean,
): void {
  if (attempts > 0) tally.sent += 1;
  if (verdict === 'drop') add(tally.refused, detail ?? 'no reason given');
  else if (verdict !== 'retry') tally[verdict] += 1;
  else if (isOverQuota) tally.overQuota += 1;
  else add(tally.unknown, detail ?? 'no reason given');
}

/** The events that PostHog should still get. */
export const leftToSend = ({ overQuota, unknown, held, skipped }: Tally): number =>
  overQuota + sum(unknown) + held + skipped;

/** @param host origin of PostHog */
export function describe(tally: Tally, host: string): string {
  const { refused, unknown, leftOut } = tally;
  const rows: [label: string, count: number, comment: string, isNeeded?: boolean][] = [
    ['sent', tally.sent, '', true],
    ['  ok', tally.ok, '', true],
    ['  warning', tally.warning, 'stored, without a person'],
    ['  accepted', tally.accepted, 'PostHog gave no verdict on each'],
    ['  refused', sum(refused), list(refused), true],
    ['  over quota', tally.overQuota, '', true],
    ['  unknown', sum(unknown), list(unknown), true],
    ['sent before', tally.before, '--all sends them again'],
    ['in progress', tally.held, 'another sender has them'],
    ['not sent', tally.skipped, ''],
    ['left out', sum(Object.entries(leftOut)), list(Object.entries(leftOut).map(named))],
  ];
  const lines = rows
    .filter(([, count, , isNeeded]) => isNeeded || count > 0)
    .map(([label, count, comment]) =>
      `  ${label.padEnd(14)}${number(count).padStart(12)}  ${comment}`.trimEnd(),
    );
  return `PostHog at ${host}:\n${lines.join('\n')}\n`;
}

const NAMES: Record<string, string> = {
  robot: 'robots',
  private: 'visitors who ask for privacy',
  perhaps_private: 'older clicks without an address, whose visitors may have asked for privacy',
  unknown_cta: 'unknown calls to action',
};

const named = ([reason, count]: [string, number]): [string, number] => [
  NAMES[reason] ?? reason,
  count,
];

export const number = (count: number): string => count.toLocaleString('en');

const sum = (counts: Iterable<[string, number]>): number =>
  [...counts].reduce((total, [, count]) => total + count, 0);

/** The largest first: "event_too_big 30, rejected 10". */
const list = (counts: Iterable<[string, number]>): string =>
  [...counts]
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${number(count)}`)
    .join(', ');

const add = (counts: ByDetail, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
