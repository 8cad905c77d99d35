/**
 * Looks at a day that is over: what is unusual, since when and why, and what is over. A pure
 * function of the table of counts and of what was told before.
 */

import type { Measure } from './baseline.ts';
import { cellsOf } from './cells.ts';
import { type Change, newChange, toldChange } from './change.ts';
import { ALPHA } from './correction.ts';
import { at, isKnown, rowsOf, seriesOf, type Table } from './counts.ts';
import { type Compared, expectationOf, variationOf } from './expectation.ts';
import { type Fact, findFacts } from './find-facts.ts';
import { findUnusual, LEAST_FALL, LEAST_RISE, type Suspicion } from './find-unusual.ts';
import { endTold, openOn, type Told } from './mailed-changes.ts';
import { type Alert, type Context, writeAlert } from './write-alert.ts';

/** Part of all expected visits or clicks by which a slice must rise to be news for a mail. */
const LEAST_SHARE = 0.3;
/**
 * A fall of the rate that is a week old at most waits for a clear cause: its explanation must be 20
 * times as likely as the next one. Rates fall by faults that last, so a mail may wait for some
 * days.
 */
const LEAST_LEAD = Math.log(20);
const SHORT_DAYS = 7;
/** A spike of last week is in the window of two weeks. A change that is over must not be mailed. */
const RECENT_DAYS = 3;
const MOST_CHANGES = 3;

export interface Look {
  /** What is new, the most important first. */
  changes: Change[];
  /** Falls that are over. */
  over: Change[];
  /** For the look at the next day. */
  told: Told[];
  /** null: nothing is new or over. */
  mail: Alert | null;
}

/**
 * Looks at one day. Call it for each day, in order, with what the look before has told.
 *
 * @param day index of a day that is over. No later day is read
 * @param before `[]` at first
 */
export function lookAt(
  table: Table,
  day: number,
  before: readonly Told[],
  context: Context = {},
): Look {
  const date = table.days[day] ?? '';
  const told = endTold(table, day, before);
  const over = told
    .filter((one, i) => one.ended !== before[i]?.ended && one.ratio < 1)
    .map((one) => ({ ...toldChange(table, one, day), until: one.ended ?? date }));
  const changes = findChanges(table, day, told);
  const news = changes.map(({ slice, measure, usual, since, ratio }) => {
    return { slice, measure, ratio, usual, since, toldOn: date, ended: null };
  });
  const mail = writeAlert(changes, over, context);
  return { changes, over, told: [...told, ...news], mail };
}

/**
 * Explains the least likely window that has an explanation. What was told and is still so is part
 * of the expectation.
 */
function findChanges(table: Table, day: number, told: readonly Told[]) {
  const open = openOn(told, table.days[day] ?? '');
  for (const suspicion of findUnusual(table, day, told)) {
    const { compared } = suspicion;
    const facts = explain(table, suspicion, open);
    const current = facts.filter((fact) => isStillSo(table, fact, compared));
    if (current.length > 0)
      return current.slice(0, MOST_CHANGES).map((fact) => newChange(table, fact, compared));
  }
  return [];
}

/** @returns facts about the unusual measure, then those about the other one */
const explain = (table: Table, { compared, measure }: Suspicion, open: readonly Told[]): Fact[] =>
  [measure, measure === 'visits' ? ('rate' as const) : ('visits' as const)].flatMap((one) =>
    explainMeasure(table, compared, one, open),
  );

function explainMeasure(
  table: Table,
  { base, window }: Compared,
  measure: Measure,
  open: readonly Told[],
): Fact[] {
  const shares = (days: number[]) =>
    days.reduce((sum, one) => sum + at(base.weekday, at(table.weekdays, one)), 0);
  const scale = shares(window) / shares(base.days);
  const cells = cellsOf(measure, rowsOf(table, base.days), rowsOf(table, window), scale);
  const all = cells.reduce((sum, { expected }) => sum + expected, 0);
  const known = open.filter((one) => one.measure === measure);
  // While the whole site has more visits, a slice that has as many as before is no fall.
  const isRising = measure === 'visits' && known.some(({ ratio }) => ratio > 1);
  const isWanted = ({ slice, observed, expected }: Fact) => {
    if (!isKnown(seriesOf(table, slice), [...base.days, ...window])) return false;
    if (observed < expected * LEAST_FALL) return !isRising;
    return observed > expected * LEAST_RISE[measure] && observed - expected > LEAST_SHARE * all;
  };
  return findFacts(cells, measure, {
    given: known.map(({ slice }) => slice),
    leastLead: measure === 'rate' && window.length <= SHORT_DAYS ? LEAST_LEAD : 0,
    alpha: ALPHA,
    variationOf: (counted) => variationOf(base, measure, window.length, counted),
    isWanted,
  });
}

function isStillSo(table: Table, fact: Fact, { base, window }: Compared): boolean {
  const { slice, measure } = fact;
  const newest = { base, window: window.slice(-RECENT_DAYS) };
  const { observed, expected } = expectationOf(table, seriesOf(table, slice), measure, newest);
  return fact.observed < fact.expected
    ? observed < expected * Math.sqrt(LEAST_FALL)
    : observed > expected * Math.sqrt(LEAST_RISE[measure]);
}
