/**
 * Looks at a day that is over: what is unusual, since when and why, and which changes have ended. A
 * pure function of the table of counts and of the changes that alerts have mailed before.
 */

import type { Measure } from './baseline.ts';
import { makeCells } from './cells.ts';
import { type Change, describeMailedChange, describeNewChange } from './change.ts';
import { SIGNIFICANCE_LEVEL } from './correction.ts';
import { isKnown, rowsOf, seriesOf, type Table, valueAt } from './counts.ts';
import { type Compared, expectationOf, relativeVarianceOf } from './expectation.ts';
import { type Fact, findFacts } from './find-facts.ts';
import { findUnusual, LEAST_FALL, LEAST_RISE, type Suspicion } from './find-unusual.ts';
import { endMailedChanges, type MailedChange, openChangesOn } from './mailed-changes.ts';
import { type Alert, type Context, writeAlert } from './write-alert.ts';

/**
 * Fraction of the site's expected visits or clicks by which a slice must rise to be in an alert.
 */
const LEAST_SHARE = 0.3;
/**
 * Least lead of the best explanation of a rate's fall in a window of up to SHORT_DAYS: it must be
 * 20 times as likely as the next one. Otherwise the alert waits, because rates fall by faults that
 * last, and a longer window shows the cause.
 */
const LEAST_LEAD = Math.log(20);
const SHORT_DAYS = 7;
/**
 * Newest days of a window in which a change must still be visible. Without this test, a spike of
 * last week in the window of two weeks would be mailed after it is over.
 */
const RECENT_DAYS = 3;
const MOST_CHANGES = 3;

/** The result of a look. */
export interface Look {
  /** New changes, the most important first. */
  changes: Change[];
  /** Mailed falls that ended on this day. Ended rises are not reported. */
  over: Change[];
  /**
   * All changes that alerts have mailed, with the new ones: `before` for the look at the next day.
   */
  told: MailedChange[];
  /** null: nothing is new or over. */
  mail: Alert | null;
}

/**
 * Looks at one day. Call it for each day, in order, with `told` of the look before.
 *
 * @param day index of a day that is over. No later day is read
 * @param before `told` of the look at the day before; `[]` at first
 * @param context names and notes for the alert
 */
export function lookAt(
  table: Table,
  day: number,
  before: readonly MailedChange[],
  context: Context = {},
): Look {
  const date = table.days[day] ?? '';
  const told = endMailedChanges(table, day, before);
  const over = told
    .filter((change, i) => change.ended !== before[i]?.ended && change.ratio < 1)
    .map((change) => ({
      ...describeMailedChange(table, change, day),
      until: change.ended ?? date,
    }));
  const changes = findChanges(table, day, told);
  const news = changes.map(({ slice, measure, usual, since, ratio }) => {
    return { slice, measure, ratio, usual, since, toldOn: date, ended: null };
  });
  const mail = writeAlert(changes, over, context);
  return { changes, over, told: [...told, ...news], mail };
}

/**
 * Explains the window with the smallest p-value that has an explanation. Mailed changes that go on
 * are part of the expectation, so they are not found again.
 */
function findChanges(table: Table, day: number, told: readonly MailedChange[]) {
  const openChanges = openChangesOn(told, table.days[day] ?? '');
  for (const suspicion of findUnusual(table, day, told)) {
    const { compared } = suspicion;
    const facts = explainWindow(table, suspicion, openChanges);
    const current = facts.filter((fact) => isStillVisible(table, fact, compared));
    if (current.length > 0)
      return current.slice(0, MOST_CHANGES).map((fact) => describeNewChange(table, fact, compared));
  }
  return [];
}

/** Finds facts about the measure that is unusual, then about the other one. */
const explainWindow = (
  table: Table,
  { compared, measure }: Suspicion,
  openChanges: readonly MailedChange[],
): Fact[] =>
  [measure, measure === 'visits' ? ('rate' as const) : ('visits' as const)].flatMap(
    (otherMeasure) => explainMeasure(table, compared, otherMeasure, openChanges),
  );

function explainMeasure(
  table: Table,
  { baseline, window }: Compared,
  measure: Measure,
  openChanges: readonly MailedChange[],
): Fact[] {
  const averageDays = (days: number[]) =>
    days.reduce((sum, day) => sum + valueAt(baseline.weekday, valueAt(table.weekdays, day)), 0);
  const scale = averageDays(window) / averageDays(baseline.days);
  const cells = makeCells(measure, rowsOf(table, baseline.days), rowsOf(table, window), scale);
  const all = cells.reduce((sum, { expected }) => sum + expected, 0);
  const knownChanges = openChanges.filter((change) => change.measure === measure);
  // While the whole site has more visits, a slice that has as many as before is no fall.
  const isRising = measure === 'visits' && knownChanges.some(({ ratio }) => ratio > 1);
  const isWanted = ({ slice, observed, expected }: Fact) => {
    if (!isKnown(seriesOf(table, slice), [...baseline.days, ...window])) return false;
    if (observed < expected * LEAST_FALL) return !isRising;
    return observed > expected * LEAST_RISE[measure] && observed - expected > LEAST_SHARE * all;
  };
  return findFacts(cells, measure, {
    knownSlices: knownChanges.map(({ slice }) => slice),
    leastLead: measure === 'rate' && window.length <= SHORT_DAYS ? LEAST_LEAD : 0,
    significanceLevel: SIGNIFICANCE_LEVEL,
    relativeVarianceOf: (counted) => relativeVarianceOf(baseline, measure, window.length, counted),
    isWanted,
  });
}

/**
 * Whether the newest days of the window show the change too, by at least half of it (as logarithm).
 */
function isStillVisible(table: Table, fact: Fact, { baseline, window }: Compared): boolean {
  const { slice, measure } = fact;
  const newest = { baseline, window: window.slice(-RECENT_DAYS) };
  const { observed, expected } = expectationOf(table, seriesOf(table, slice), measure, newest);
  return fact.observed < fact.expected
    ? observed < expected * Math.sqrt(LEAST_FALL)
    : observed > expected * Math.sqrt(LEAST_RISE[measure]);
}
