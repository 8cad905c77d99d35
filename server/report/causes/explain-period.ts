/**
 * Explains how a period differs from the period before: its totals, the clicks that were expected
 * of its visitors, and at most three facts. Pure functions of the table of counts.
 */

import { baselineBefore, type Measure } from './baseline.ts';
import { type Cell, makeCells } from './cells.ts';
import { type Change, describeMailedChange, describePeriodChange } from './change.ts';
import { isKnown, range, rowsOf, seriesOf, sumOverDays, type Table } from './counts.ts';
import { relativeVarianceOf } from './expectation.ts';
import { type ExpectedDay, expectClicks } from './expected-clicks.ts';
import { type FarLink, findFarBelow } from './far-below.ts';
import { type Fact, findFacts } from './find-facts.ts';
import type { Hole } from './find-hole.ts';
import { findLeastVisible, type LeastVisible } from './least-visible.ts';
import type { MailedChange } from './mailed-changes.ts';
import { lastDayOf } from './sentences.ts';

/** Lengths of the periods that the report offers, and whose facts the database has, in days. */
export const LENGTHS = [7, 30, 90] as const;
export type Length = (typeof LENGTHS)[number];

const MOST_FACTS = 3;
/**
 * Probability that a period without a change has a false fact. It may be larger than that of an
 * alert (correction.ts), because a mail interrupts people, and a sentence on a page does not.
 */
const SIGNIFICANCE_LEVEL = 0.01;
/** Least factor by which a slice must have changed to be a fact. Smaller changes explain little. */
const LEAST_FACTOR = 1.25;
/** Least fraction of a period's visits or clicks that a fact must explain. */
const LEAST_SHARE = 0.05;

/** A fact as the database stores it (JSON). `far`: a link far below the others, of these days. */
export type KeptFact =
  | { kind: 'change'; change: Change }
  | { kind: 'hole'; hole: Hole }
  | { kind: 'far'; link: FarLink; from: string; to: string };

export interface Totals {
  visits: number;
  /** All clicks, also those that are in no click rate. */
  clicks: number;
  rated: number;
}

/** What the database stores of a period (JSON), and the report and the weekly mail read. */
export interface PeriodFacts {
  length: Length;
  /** First and last day: 2026-01-31. */
  from: string;
  day: string;
  now: Totals;
  /**
   * Totals of the period before. null: the site had no visit yet on the first day of that period.
   */
  before: Totals | null;
  /** Rated clicks that this period's visitors would have made at the rates of the period before. */
  expected: number;
  facts: KeptFact[];
  /** Each hole that ended in the period, for the chart. */
  holes: Hole[];
  /** The changes that began on these days, and that alerts have mailed, for the chart. */
  told: MailedChange[];
  expectedDays: ExpectedDay[];
  leastVisible: LeastVisible | null;
}

interface Period {
  table: Table;
  /** Indexes of the days of the period, and of the period before. */
  days: number[];
  before: number[];
  told: readonly MailedChange[];
}

/**
 * Explains one period.
 *
 * @param last index of the period's last day
 * @param told the changes that alerts have mailed: those that go on stay named with their first day
 * @param holes holes of any days. Those of both periods are chosen
 */
export function explainPeriod(
  table: Table,
  last: number,
  length: Length,
  { told, holes }: { told: readonly MailedChange[]; holes: readonly Hole[] },
): PeriodFacts {
  const days = range(Math.max(0, last - length + 1), last);
  const before = range(last - 2 * length + 1, last - length);
  const period = { table, days, before, told: told.filter(makePeriodTest(table, days, before)) };
  const began = table.all.visits.findIndex((n) => n > 0);
  const isComparable = began >= 0 && began <= (before[0] ?? -1);
  const date = (day: number | undefined) => table.days[day ?? -1] ?? '';
  const cells = isComparable ? makePeriodCells(period, 'rate') : [];
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
 * Chooses at most three facts, in this order: changes that go on, the largest hole, the link
 * farthest below the others, what explains the difference between the periods, and changes that are
 * over.
 */
function chooseFacts(period: Period, holes: readonly Hole[], isComparable: boolean): KeptFact[] {
  const { table, days, told } = period;
  const [from, to] = [table.days[days[0] ?? 0] ?? '', table.days[days.at(-1) ?? 0] ?? ''];
  const firstDayBefore = table.days[Math.max(0, period.before[0] ?? 0)] ?? '';
  const ownHoles = holes.filter((hole) => {
    // A long hole in the period before is a fact too: it may be why this period has more visits.
    const isOwn = lastDayOf(hole) >= from;
    const isLong = hole.expected >= LEAST_SHARE * sumOverDays(table.all.visits, days);
    return lastDayOf(hole) >= firstDayBefore && hole.since.slice(0, 10) <= to && (isOwn || isLong);
  });
  // A change that an alert has named because of a hole is left out: the hole's hours say more than
  // the visits of its days.
  const isHole = ({ slice, measure, ratio, since }: MailedChange) =>
    Object.keys(slice).length === 0 &&
    measure === 'visits' &&
    ratio < 1 &&
    ownHoles.some((hole) => since >= hole.since.slice(0, 10) && since <= lastDayOf(hole));
  const changes = told
    .filter((mailedChange) => !isHole(mailedChange))
    .sort((a, b) => rankChange(a) - rankChange(b))
    .map((mailedChange) => describeMailedChange(table, mailedChange, days.at(-1) ?? 0))
    .filter((change) => change.isOpen || isLarge(period, change));
  const lasting = changes.filter(({ isOpen }) => isOpen);
  const over = changes.filter(({ isOpen }) => !isOpen);
  const toFact = (change: Change): KeptFact => ({ kind: 'change', change });
  const largestHole = ownHoles.toSorted((a, b) => b.expected - a.expected).slice(0, 1);
  const [worst] = findFarBelow(rowsOf(table, days));
  const facts: KeptFact[] = [
    ...lasting.slice(0, 2).map(toFact),
    ...largestHole.map((hole) => ({ kind: 'hole' as const, hole })),
    ...(worst ? [{ kind: 'far' as const, link: worst, from, to }] : []),
    ...(isComparable ? explainDifference(period).map(toFact) : []),
    ...[...over, ...lasting.slice(2)].map(toFact),
  ];
  return facts.slice(0, MOST_FACTS);
}

/** Order of changes: falls before rises, and those that go on before those that are over. */
const rankChange = ({ ratio, ended }: MailedChange): number =>
  (ratio > 1 ? 2 : 0) + (ended === null ? 0 : 1);

/**
 * Returns a function that says whether a change meets the period or the period before. After a
 * launch in the period before is over, it is why this period has fewer visits.
 */
function makePeriodTest(table: Table, days: number[], before: number[]) {
  const first = table.days[Math.max(0, before[0] ?? 0)] ?? '';
  const last = table.days[days.at(-1) ?? 0] ?? '';
  return ({ since, ended }: MailedChange) =>
    since >= (table.days[0] ?? '') && since <= last && (ended === null || ended > first);
}

/** Whether a change that is over moved a notable part of the period's visits or clicks. */
function isLarge({ table, days }: Period, { measure, now, usual, since, until, counts }: Change) {
  const length = Temporal.PlainDate.from(since).until(Temporal.PlainDate.from(until)).days + 1;
  const amount = measure === 'visits' ? length : counts.visits / 100;
  const all = sumOverDays(measure === 'visits' ? table.all.visits : table.all.rated, days);
  return Math.abs(now - usual) * amount >= LEAST_SHARE * all;
}

/**
 * Finds facts that explain why the periods differ, apart from the changes that alerts have mailed.
 */
function explainDifference(period: Period): Change[] {
  const { table, days, before, told } = period;
  const baseline = baselineBefore(table, (days.at(-1) ?? 0) + 1, () => true);
  if (baseline === null) return [];
  const facts = (['visits', 'rate'] as const).flatMap((measure) => {
    const cells = makePeriodCells(period, measure);
    const all = cells.reduce((sum, { expected }) => sum + expected, 0);
    const isWanted = ({ slice, observed, expected }: Fact) =>
      isKnown(seriesOf(table, slice), [...before, ...days]) &&
      Math.max(observed / expected, expected / Math.max(observed, 0.5)) >= LEAST_FACTOR &&
      Math.abs(observed - expected) >= LEAST_SHARE * all;
    return findFacts(cells, measure, {
      knownSlices: told
        .filter((mailedChange) => mailedChange.measure === measure)
        .map(({ slice }) => slice),
      significanceLevel: SIGNIFICANCE_LEVEL,
      leastLead: 0,
      // The period before varies by overdispersion too, and not only by its count.
      relativeVarianceOf: (counted) =>
        relativeVarianceOf(baseline, measure, days.length, counted) +
        baseline.overdispersion[measure] / Math.sqrt(days.length),
      isWanted,
    });
  });
  return facts
    .sort((a, b) => a.logPValue - b.logPValue)
    .map((fact) => describePeriodChange(table, fact, days));
}

const makePeriodCells = ({ table, days, before }: Period, measure: Measure): Cell[] =>
  makeCells(measure, rowsOf(table, before), rowsOf(table, days), 1);

function totalsOf({ all }: Table, days: number[]): Totals {
  return {
    visits: sumOverDays(all.visits, days),
    clicks: sumOverDays(all.clicks, days),
    rated: sumOverDays(all.rated, days),
  };
}
