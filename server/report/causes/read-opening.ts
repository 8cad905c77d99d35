/**
 * Reads the opening of the report: sentences about its period, and the marks of its chart. The
 * daily job has computed and stored the facts. This file only chooses them and writes them as
 * words.
 */
import type { Database } from '../../database/database.ts';
import type { Dimension } from '../figures/selection.ts';
import type { Question } from '../question.ts';
import type { Slice } from './combination.ts';
import type { KeptFact, PeriodFacts } from './explain-period.ts';
import {
  type FactSentence,
  factSentence,
  inOrder,
  type Naming,
  rateSentenceOf,
  sentencesOf,
} from './fact-sentences.ts';
import type { Hole } from './find-hole.ts';
import { readNaming, readPeriods } from './read-facts.ts';
import { lastDayOf } from './sentences.ts';
import { nameOfSlice } from './words.ts';

/** The opening of the report. */
export interface Opening {
  /** Sentences about what changed, why, and what to look at, in this order. */
  sentences: FactSentence[];
  /** The first sentence about clicks per 100 visits, in words that no other sentence has. */
  rate: FactSentence | null;
  /** First and last day of the stored period. null: no stored period has the report's length. */
  from: string | null;
  to: string | null;
  /** Why there are no sentences, or fewer than usual. */
  remark: string | null;
  /** The smallest change that the figures are large enough to show. */
  unseen: string | null;
  marks: ChartMarks;
}

/** What the chart of the whole site shows in addition to its clicks. */
export interface ChartMarks {
  /** Band of the usual number of clicks, by day: 2026-01-31. */
  expected: Map<string, { low: number; high: number }>;
  holes: Hole[];
  /** Names of the slices that alerts have mailed, by the first day of the change. */
  named: Map<string, string>;
}

const MOST_FACTS = 3;

/**
 * Reads the opening for a question. If the question has filters, or days of which no facts are
 * stored, the sentences are the stored facts that concern them.
 */
export async function readOpening(db: Database, question: Question): Promise<Opening> {
  const periods = await readPeriods(db);
  const naming = await readNaming(db);
  const [longest] = periods.slice(-1);
  const marks = marksOf(longest, question, naming);
  if (!longest) return { ...NOTHING, marks, remark: NOT_YET };
  const isFiltered = Object.keys(question.filters).length > 0;
  const own = periods.find(({ length }) => length === question.days);
  const facts = own ? own.facts : factsOfDays(periods, question);
  const rate = facts.find((fact) => isAboutRate(fact) && concerns(fact, question));
  const shown =
    own && !isFiltered
      ? chooseTwo(own.facts)
      : facts.filter((fact) => concerns(fact, question)).slice(0, MOST_FACTS);
  const common = {
    marks,
    rate: rate ? rateBelow(rate, shown, naming) : null,
    unseen: unseenInWords(longest),
    from: own?.from ?? null,
    to: own?.day ?? null,
  };
  if (own && !isFiltered) {
    const sentences = sentencesOf({ ...own, facts: shown }, naming);
    return { ...common, sentences, remark: null };
  }
  return {
    ...common,
    sentences: inOrder(shown.map((fact) => factSentence(fact, naming))),
    remark: remarkOn({ isFiltered, isKept: own !== undefined, n: shown.length }),
  };
}

/** The opening is in sight, so a fact that it has stands below the totals in other words. */
const rateBelow = (rate: KeptFact, shown: readonly KeptFact[], naming: Naming): FactSentence =>
  shown.includes(rate) ? rateSentenceOf(rate, naming) : factSentence(rate, naming);

/**
 * Chooses two facts, because the totals are the third sentence: one that says why, and one to look
 * at, if there are both.
 */
function chooseTwo(facts: readonly KeptFact[]): KeptFact[] {
  const why = facts.find((fact) => !canAct(fact));
  const look = facts.find(canAct);
  return why && look ? [why, look] : facts.slice(0, 2);
}

/** Whether somebody can do something about the fact: a fall that goes on, or a link far below. */
const canAct = (fact: KeptFact): boolean =>
  fact.kind === 'far' ||
  (fact.kind === 'change' && fact.change.isOpen && fact.change.now < fact.change.usual);

const NOT_YET = 'From tomorrow on, this page says here what has changed, why, and what to look at.';
const NOTHING = { sentences: [], rate: null, from: null, to: null, remark: null, unseen: null };

/** What the remark depends on. */
interface Found {
  isFiltered: boolean;
  /** Whether facts of exactly these days are stored. */
  isKept: boolean;
  /** Number of facts that concern the question. */
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

/**
 * Returns the facts of all stored periods that have a day in common with the question, each once.
 */
function factsOfDays(periods: readonly PeriodFacts[], { from, to }: Question): KeptFact[] {
  const found = new Map<string, KeptFact>();
  for (const fact of periods.flatMap(({ facts }) => facts)) {
    const [first, last] = daysOf(fact);
    if (first <= to && last >= from && !found.has(keyOf(fact))) found.set(keyOf(fact), fact);
  }
  return [...found.values()];
}

/** Returns the first and the last day of a fact. */
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

/**
 * Whether a fact concerns the question's filters. A fact about the whole site concerns every
 * filter, a fact about another value none.
 */
function concerns(fact: KeptFact, { filters }: Question): boolean {
  const names = Object.keys(filters) as Dimension[];
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

/**
 * Returns the marks of the chart. A chart with a filter or of one day (by hours) has none, because
 * the marks are for the daily clicks of the whole site.
 */
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
