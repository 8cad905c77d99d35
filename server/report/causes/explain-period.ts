/**
 * Explains a period against the one before: the totals, with the effects of more visits, of other
 * visitors and of rates apart, and at most three facts. Pure.
 */

import { baseBefore, type Measure } from './baseline.ts';
import { type Cell, cellsOf } from './cells.ts';
import { type Change, periodChange, toldChange } from './change.ts';
import { isKnown, range, rowsOf, seriesOf, sumOf, type Table } from './counts.ts';
import { variationOf } from './expectation.ts';
import { type ExpectedDay, expectClicks } from './expected-clicks.ts';
import { type FarLink, findFarBelow } from './far-below.ts';
import { type Fact, findFacts } from './find-facts.ts';
import type { Hole } from './find-hole.ts';
import { findLeastVisible, type LeastVisible } from './least-visible.ts';
import type { Told } from './mailed-changes.ts';
import { lastDayOf } from './sentences.ts';

/** Periods that the report offers, and whose facts are kept, in days. */
export const LENGTHS = [7, 30, 90] as const;
export type Length = (typeof LENGTHS)[number];

const MOST_FACTS = 3;
/** Chance of a false fact on the page. It may be larger than in a mail, which interrupts people. */
const ALPHA = 0.01;
/** Smaller changes of a slice explain little. */
const LEAST_FACTOR = 1.25;
/** Part of all visits or clicks of a period that a fact must explain. */
const LEAST_SHARE = 0.05;

export type KeptFact =
  | { kind: 'change'; change: Change }
  | { kind: 'hole'; hole: Hole }
  | { kind: 'far'; link: FarLink; from: string; to: string };

export interface Totals {
  visits: number;
  /** With those that are in no rate. */
  clicks: number;
  rated: number;
}

export interface PeriodFacts {
  length: Length;
  /** First and last day. */
  from: string;
  day: string;
  now: Totals;
  /** null: the site had no visits on some of these days, because it did not exist. */
  before: Totals | null;
  /** Rated clicks that this period's visitors would have made at the rates before. */
  expected: number;
  facts: KeptFact[];
  /** Each hole of the period, for the chart. */
  holes: Hole[];
  /** The changes that alerts have named on these days, for the chart. */
  told: Told[];
  expectedDays: ExpectedDay[];
  leastVisible: LeastVisible | null;
}

interface Period {
  table: Table;
  /** Indexes of days. */
  days: number[];
  before: number[];
  told: readonly Told[];
}

/**
 * @param last index of the last day
 * @param told what alerts have told: lasting faults stay named with their first day
 * @param holes of any days
 */
export function explainPeriod(
  table: Table,
  last: number,
  length: Length,
  { told, holes }: { told: readonly Told[]; holes: readonly Hole[] },
): PeriodFacts {
  const days = range(Math.max(0, last - length + 1), last);
  const before = range(last - 2 * length + 1, last - length);
  const period = { table, days, before, told: told.filter(isOfPeriods(table, days, before)) };
  const began = table.all.visits.findIndex((n) => n > 0);
  const isComparable = began >= 0 && began <= (before[0] ?? -1);
  const date = (day: number | undefined) => table.days[day ?? -1] ?? '';
  const cells = isComparable ? cellsOfPeriods(period, 'rate') : [];
  return {
    length,
    from: date(days[0]),
    day: date(last),
    now: totalsOf(table, days),
    before: isComparable ? totalsOf(table, before) : null,
    expected: cells.reduce((sum, cell) => sum + cell.expected, 0),
    facts: chooseFacts(period, holes, isComparable),
    holes: holes.filter((hole) => lastDayOf(hole) >= date(days[0])),
    told: told.filter(({ since }) => since >= date(days[0])),
    expectedDays: expectClicks(table, days, told),
    leastVisible: findLeastVisible(table, last, told),
  };
}

/**
 * Lasting faults first, then holes and links far below the others, then what explains the rest of
 * the difference.
 */
function chooseFacts(period: Period, holes: readonly Hole[], isComparable: boolean): KeptFact[] {
  const { table, days, told } = period;
  const [from, to] = [table.days[days[0] ?? 0] ?? '', table.days[days.at(-1) ?? 0] ?? ''];
  const begin = table.days[Math.max(0, period.before[0] ?? 0)] ?? '';
  const own = holes.filter((hole) => {
    // A hole of the period before is told if it is why this period has more.
    const isOwn = lastDayOf(hole) >= from;
    const isLong = hole.expected >= LEAST_SHARE * sumOf(table.all.visits, days);
    return lastDayOf(hole) >= begin && hole.since.slice(0, 10) <= to && (isOwn || isLong);
  });
  // The hours of a hole say more than the visits of its days.
  const isHole = ({ slice, measure, ratio, since }: Told) =>
    Object.keys(slice).length === 0 &&
    measure === 'visits' &&
    ratio < 1 &&
    own.some((hole) => since >= hole.since.slice(0, 10) && since <= lastDayOf(hole));
  const changes = told
    .filter((one) => !isHole(one))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map((one) => toldChange(table, one, days.at(-1) ?? 0))
    .filter((change) => change.isOpen || isLarge(period, change));
  const lasting = changes.filter(({ isOpen }) => isOpen);
  const over = changes.filter(({ isOpen }) => !isOpen);
  const toFact = (change: Change): KeptFact => ({ kind: 'change', change });
  const largest = own.toSorted((a, b) => b.expected - a.expected).slice(0, 1);
  const [worst] = findFarBelow(rowsOf(table, days));
  const facts: KeptFact[] = [
    ...lasting.slice(0, 2).map(toFact),
    ...largest.map((hole) => ({ kind: 'hole' as const, hole })),
    ...(worst ? [{ kind: 'far' as const, link: worst, from, to }] : []),
    ...(isComparable ? explainRest(period).map(toFact) : []),
    ...[...over, ...lasting.slice(2)].map(toFact),
  ];
  return facts.slice(0, MOST_FACTS);
}

/** Falls before rises, and those that are still so before those that are over. */
const rankOf = ({ ratio, ended }: Told): number => (ratio > 1 ? 2 : 0) + (ended === null ? 0 : 1);

/** Also those of the period before: when a launch is over, it is why there is less. */
function isOfPeriods(table: Table, days: number[], before: number[]) {
  const first = table.days[Math.max(0, before[0] ?? 0)] ?? '';
  const last = table.days[days.at(-1) ?? 0] ?? '';
  return ({ since, ended }: Told) =>
    since >= (table.days[0] ?? '') && since <= last && (ended === null || ended > first);
}

/** Whether a change that is over moved a notable part of the period's visits or clicks. */
function isLarge({ table, days }: Period, { measure, now, usual, since, until, counts }: Change) {
  const length = Temporal.PlainDate.from(since).until(Temporal.PlainDate.from(until)).days + 1;
  const amount = measure === 'visits' ? length : counts.visits / 100;
  const all = sumOf(measure === 'visits' ? table.all.visits : table.all.rated, days);
  return Math.abs(now - usual) * amount >= LEAST_SHARE * all;
}

/** Facts that explain why the period differs, beside what was told. */
function explainRest(period: Period): Change[] {
  const { table, days, before, told } = period;
  const base = baseBefore(table, (days.at(-1) ?? 0) + 1, () => true);
  if (base === null) return [];
  const facts = (['visits', 'rate'] as const).flatMap((measure) => {
    const cells = cellsOfPeriods(period, measure);
    const all = cells.reduce((sum, { expected }) => sum + expected, 0);
    const isWanted = ({ slice, observed, expected }: Fact) =>
      isKnown(seriesOf(table, slice), [...before, ...days]) &&
      Math.max(observed / expected, expected / Math.max(observed, 0.5)) >= LEAST_FACTOR &&
      Math.abs(observed - expected) >= LEAST_SHARE * all;
    return findFacts(cells, measure, {
      given: told.filter((one) => one.measure === measure).map(({ slice }) => slice),
      alpha: ALPHA,
      leastLead: 0,
      // Both periods vary by day.
      variationOf: (counted) =>
        variationOf(base, measure, days.length, counted) +
        base.spread[measure] / Math.sqrt(days.length),
      isWanted,
    });
  });
  return facts
    .sort((a, b) => a.logChance - b.logChance)
    .map((fact) => periodChange(table, fact, days));
}

const cellsOfPeriods = ({ table, days, before }: Period, measure: Measure): Cell[] =>
  cellsOf(measure, rowsOf(table, before), rowsOf(table, days), 1);

function totalsOf({ all }: Table, days: number[]): Totals {
  return {
    visits: sumOf(all.visits, days),
    clicks: sumOf(all.clicks, days),
    rated: sumOf(all.rated, days),
  };
}
