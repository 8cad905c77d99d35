/** Counts what a reconciliation found, and describes it. */
import type { Fate, Sorted } from '../../server/posthog/reconcile/sort-click.ts';
import { number } from '../replay/tally.ts';

/** Numbers of clicks by reason. */
type Reasons = Map<string, number>;

export interface Summary {
  /** Lines of the ledgers, each click once. */
  log: number;
  fates: Map<Fate, Reasons>;
  /** null: PostHog was not asked. */
  posthog: {
    clicks: number;
    /** Copies that PostHog has not merged yet. */
    repetitions: number;
    /** Without a line, with a receipt: a browser sent the event, and has not delivered the click yet, or a stranger did. */
    fromBrowsers: number;
    /** With neither a line nor a receipt. */
    unknown: number;
  } | null;
}

export const newSummary = (): Summary => ({ log: 0, fates: new Map(), posthog: null });

export function count({ fates }: Summary, { fate, reason }: Sorted): void {
  const reasons = fates.get(fate) ?? new Map<string, number>();
  const key = reason ?? '';
  fates.set(fate, reasons.set(key, (reasons.get(key) ?? 0) + 1));
}

const totalOf = ({ fates }: Summary, fate: Fate): number =>
  [...(fates.get(fate)?.values() ?? [])].reduce((sum, clicks) => sum + clicks, 0);

/** Sentences about what does not add up. None: every click is in exactly one group, and has a reason. */
export function faultsOf(summary: Summary): string[] {
  const { log, posthog } = summary;
  const sorted = ORDER.reduce((sum, [fate]) => sum + totalOf(summary, fate), 0);
  const unknown = totalOf(summary, 'unknown');
  return [
    ...(sorted === log
      ? []
      : [`The groups have ${number(sorted)} clicks, the ledgers ${number(log)}.`]),
    ...(unknown === 0 ? [] : [`No record explains why PostHog lacks ${number(unknown)} clicks.`]),
    ...(posthog?.unknown
      ? [
          `PostHog has ${number(posthog.unknown)} clicks with neither a line nor a receipt: name every server's ledger with --ledger. Ledger files may also be deleted.`,
        ]
      : []),
  ];
}

const ORDER: [fate: Fate, label: string][] = [
  ['delivered', 'delivered'],
  ['waiting', 'waiting'],
  ['private', 'private'],
  ['perhaps_private', 'perhaps private'],
  ['robot', 'robots'],
  ['unknown_cta', 'unknown calls to action'],
  ['dropped', 'dropped'],
  ['unknown', 'unknown'],
];

export function describe(summary: Summary): string {
  const { log, fates, posthog } = summary;
  const rows: [string, number, string][] = [
    ['log', log, ''],
    ...ORDER.map(([fate, label]): [string, number, string] => [
      `  ${label}`,
      totalOf(summary, fate),
      listOf(fates.get(fate) ?? new Map()),
    ]),
  ];
  if (posthog) {
    rows.push(
      ["PostHog's list", posthog.clicks, ''],
      ['  in the log', posthog.clicks - posthog.fromBrowsers - posthog.unknown, ''],
      ['  from browsers', posthog.fromBrowsers, 'without a line in these ledgers'],
      ['  unexplained', posthog.unknown, ''],
    );
    if (posthog.repetitions > 0)
      rows.push(['  further copies', posthog.repetitions, 'PostHog will merge them']);
  }
  return rows
    .map(([label, clicks, note]) => `${label.padEnd(26)}${number(clicks).padStart(12)}  ${note}`)
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** The largest first: "event_too_big 30, rejected 10". */
const listOf = (reasons: Reasons): string =>
  [...reasons]
    .filter(([reason]) => reason !== '')
    .sort(([, a], [, b]) => b - a)
    .map(([reason, clicks]) => `${reason} ${number(clicks)}`)
    .join(', ');
