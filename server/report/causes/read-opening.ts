/**
 * Reads what the report opens with: the sentences that are kept of its period, and the marks of its
 * chart. Nothing is computed here but words.
 */
import type { Database } from '../../database/database.ts';
import type { Dimension as Filter } from '../figures/selection.ts';
import type { Question } from '../question.ts';
import type { Slice } from './combination.ts';
import type { KeptFact, PeriodFacts } from './explain-period.ts';
import {
  type FactSentence,
  factSentence,
  inOrder,
  type Naming,
  sentencesOf,
} from './fact-sentences.ts';
import type { Hole } from './find-hole.ts';
import { readNaming, readPeriods } from './read-facts.ts';
import { lastDayOf } from './sentences.ts';
import { nameOfSlice } from './words.ts';

export interface Opening {
  /** What changed, why, and what to look at, in this order. */
  sentences: FactSentence[];
  /** About clicks per 100 visits. */
  rate: FactSentence | null;
  /**
   * The sentences are about these days; null: they are about days of their own, or there are none.
   */
  from: string | null;
  to: string | null;
  /** Why there are no sentences, or fewer. */
  remark: string | null;
  /** What the figures are too few to show. */
  unseen: string | null;
  marks: ChartMarks;
}

/** What the chart of the whole site shows beside its clicks. */
export interface ChartMarks {
  /** Clicks that are usual, by day. */
  expected: Map<string, { low: number; high: number }>;
  holes: Hole[];
  /** What an alert has named, by the first day of the change. */
  named: Map<string, string>;
}

const MOST_FACTS = 3;

export async function readOpening(db: Database, question: Question): Promise<Opening> {
  const periods = await readPeriods(db);
  const naming = await readNaming(db);
  const [longest] = periods.slice(-1);
  const marks = marksOf(longest, question, naming);
  if (!longest) return { ...NOTHING, marks, remark: NOT_YET };
  const isFiltered = Object.keys(question.filters).length > 0;
  const own = periods.find(({ length }) => length === question.days);
  const facts = own ? own.facts : factsOfDays(periods, question);
  const rate = facts.find((fact) => isAboutRate(fact) && touches(fact, question));
  const common = {
    marks,
    rate: rate ? factSentence(rate, naming) : null,
    unseen: unseenInWords(longest),
    from: own?.from ?? null,
    to: own?.day ?? null,
  };
  if (own && !isFiltered) {
    const sentences = sentencesOf({ ...own, facts: mostTelling(own.facts) }, naming);
    return { ...common, sentences, remark: null };
  }
  const touched = facts.filter((fact) => touches(fact, question)).slice(0, MOST_FACTS);
  return {
    ...common,
    sentences: inOrder(touched.map((fact) => factSentence(fact, naming))),
    remark: remarkOn({ isFiltered, isKept: own !== undefined, n: touched.length }),
  };
}

/**
 * The totals are a sentence too, so two facts have room: one says why, and one is to be looked at,
 * if there are both.
 */
function mostTelling(facts: readonly KeptFact[]): KeptFact[] {
  const why = facts.find((fact) => !canAct(fact));
  const look = facts.find(canAct);
  return why && look ? [why, look] : facts.slice(0, 2);
}

/** Whether somebody can do something about it now. */
const canAct = (fact: KeptFact): boolean =>
  fact.kind === 'far' ||
  (fact.kind === 'change' && fact.change.isOpen && fact.change.now < fact.change.usual);

const NOT_YET = 'From tomorrow on, this page says here what has changed, why, and what to look at.';
const NOTHING = { sentences: [], rate: null, from: null, to: null, remark: null, unseen: null };

interface Found {
  isFiltered: boolean;
  isKept: boolean;
  /** Facts. */
  n: number;
}

function remarkOn({ isFiltered, isKept, n }: Found): string | null {
  const which = isFiltered ? 'for this filter' : 'for these days';
  const none = `Nothing unusual is known ${which}.`;
  const kept =
    'What changed and why is found for 7, 30 and 90 days, once a day. For these days no new explanation is made';
  if (isKept) return n === 0 ? none : null;
  return n === 0 ? `${kept}. ${none}` : `${kept}: these are the facts that meet them.`;
}

/** The facts of all kept periods whose days meet the question's, each once. */
function factsOfDays(periods: readonly PeriodFacts[], { from, to }: Question): KeptFact[] {
  const found = new Map<string, KeptFact>();
  for (const fact of periods.flatMap(({ facts }) => facts)) {
    const [first, last] = daysOf(fact);
    if (first <= to && last >= from && !found.has(keyOf(fact))) found.set(keyOf(fact), fact);
  }
  return [...found.values()];
}

function daysOf(fact: KeptFact): [first: string, last: string] {
  if (fact.kind === 'far') return [fact.from, fact.to];
  if (fact.kind === 'hole') return [fact.hole.since.slice(0, 10), lastDayOf(fact.hole)];
  return [fact.change.since, fact.change.until];
}

function keyOf(fact: KeptFact): string {
  if (fact.kind === 'hole') return `hole ${fact.hole.since}`;
  if (fact.kind === 'far') return `far ${fact.link.ref}`;
  const { slice, measure, since } = fact.change;
  return JSON.stringify([slice, measure, since]);
}

const isAboutRate = (fact: KeptFact): boolean =>
  fact.kind === 'far' || (fact.kind === 'change' && fact.change.measure === 'rate');

const sliceOf = (fact: KeptFact): Slice => {
  if (fact.kind === 'hole') return {};
  return fact.kind === 'far' ? { ref: fact.link.ref } : fact.change.slice;
};

/** A fact about the whole site touches every filter. One about another value touches none. */
function touches(fact: KeptFact, { filters }: Question): boolean {
  const names = Object.keys(filters) as Filter[];
  const slice: Partial<Record<string, string>> = sliceOf(fact);
  if (names.length === 0 || Object.keys(slice).length === 0) return true;
  const shared = names.filter((name) => slice[name] !== undefined);
  return shared.length > 0 && shared.every((name) => slice[name] === filters[name]);
}

function unseenInWords({ leastVisible }: PeriodFacts): string | null {
  if (!leastVisible) return null;
  const { isOfPhones, days } = leastVisible;
  const halving = `a halving of clicks per 100 visits${isOfPhones ? ' on phones' : ''}`;
  if (days === null) return `At your traffic, ${halving} does not show within four weeks.`;
  return `At your traffic, ${halving} shows after ${LENGTH_IN_WORDS[days] ?? `about ${days} days`}.`;
}

const LENGTH_IN_WORDS: Record<number, string> = {
  1: 'one day',
  7: 'about a week',
  14: 'about two weeks',
  28: 'about four weeks',
};

/** A filtered chart has other clicks, and one of hours other columns: both have no marks. */
function marksOf(
  period: PeriodFacts | undefined,
  { filters, length }: Question,
  naming: Naming,
): ChartMarks {
  if (!period || length === 1 || Object.keys(filters).length > 0)
    return { expected: new Map(), holes: [], named: new Map() };
  return {
    expected: new Map(period.expectedDays.map(({ day, low, high }) => [day, { low, high }])),
    holes: period.holes,
    named: new Map(
      period.told.map(({ since, slice }) => [since, nameOfSlice(slice, naming.nameOf)]),
    ),
  };
}
