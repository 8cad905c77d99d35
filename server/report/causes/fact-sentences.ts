/** Writes the kept facts of a period as sentences: what changed, why, and what to look at. */
import type { KeptFact, PeriodFacts, Totals } from './explain-period.ts';
import {
  adviceFor,
  changeSentence,
  farBelowSentence,
  holeSentence,
  type Note,
  notesOf,
  type Sentence,
} from './sentences.ts';
import { type NameOf, number, perHundred, plural } from './words.ts';

/**
 * `changed`: the totals; `why`: a fact that explains them; `look`: what somebody can act on;
 * `usual`: nothing changed.
 */
export interface FactSentence extends Sentence {
  role: 'changed' | 'why' | 'look' | 'usual';
}

export interface Naming {
  nameOf: NameOf;
  notes: readonly Note[];
}

/** @returns at most three facts after the totals; or one sentence, that all is as usual */
export function sentencesOf(period: PeriodFacts, naming: Naming): FactSentence[] {
  const address = new URLSearchParams({ from: period.from, to: period.day }).toString();
  const totals = totalsInWords(period);
  if (period.facts.length === 0)
    return [{ role: 'usual', text: `As usual: ${lowerFirst(totals)}`, address }];
  const facts = period.facts.map((fact) => factSentence(fact, naming));
  return [{ role: 'changed', text: totals, address }, ...inOrder(facts)];
}

/** What to look at comes last. */
export const inOrder = (facts: readonly FactSentence[]): FactSentence[] =>
  facts.toSorted((a, b) => Number(a.role === 'look') - Number(b.role === 'look'));

export function factSentence(fact: KeptFact, { nameOf, notes }: Naming): FactSentence {
  if (fact.kind === 'far')
    return { role: 'look', ...farBelowSentence(fact.link, [fact.from, fact.to], nameOf) };
  if (fact.kind === 'hole') {
    const { text, address } = holeSentence(fact.hole);
    const day = fact.hole.since.slice(0, 10);
    return { role: 'why', text: `${text}${notesOf(notes, day, day)}`, address };
  }
  const { change } = fact;
  const { text, address } = changeSentence(change, notes, nameOf);
  if (!change.isOpen || change.now >= change.usual) return { role: 'why', text, address };
  return { role: 'look', text: `${text} ${adviceFor(change)}`, address };
}

/**
 * Clicks differ because of more or fewer visits, of other visitors, and of how often they press.
 * The parts add up.
 */
function totalsInWords({ length, now, before, expected }: PeriodFacts): string {
  const clicks = `${plural(now.clicks, 'click')} from ${plural(now.visits, 'visit')}`;
  if (before === null)
    return `${clicks} in ${length} days; the site is too young to compare them with the ${length} days before.`;
  const difference = now.clicks - before.clicks;
  const than = `than in the ${length} days before`;
  if (difference === 0) return `${clicks}, as many clicks as in the ${length} days before.`;
  const more = plural(Math.abs(difference), difference > 0 ? 'more click' : 'fewer click');
  const parts = partsOf(now, before, expected);
  return `${clicks}, ${more} ${than}${parts}. ${ratesInWords(now, before)}`.trim();
}

/** Effects below one click are not told. */
function partsOf(now: Totals, before: Totals, expected: number): string {
  const rateBefore = before.rated / Math.max(1, before.visits);
  const byVisits = Math.round(rateBefore * (now.visits - before.visits));
  const byMix = Math.round(expected - rateBefore * now.visits);
  const byRate = now.rated - before.rated - byVisits - byMix;
  const unrated = now.clicks - now.rated - (before.clicks - before.rated);
  const effects = [
    [byVisits, now.visits < before.visits ? 'by fewer visits' : 'by more visits'],
    [byMix, 'by another mix of visitors'],
    [byRate, 'by how often they press'],
    [unrated, 'without a known visit'],
  ] as const;
  const told = effects.filter(([n]) => n !== 0);
  return told.length === 0
    ? ''
    : `: ${told.map(([n, words]) => `${n > 0 ? '+' : '−'}${number(Math.abs(n))} ${words}`).join(', ')}`;
}

/** Fewer visits say nothing about a rate. */
const LEAST_VISITS = 30;

function ratesInWords(now: Totals, before: Totals): string {
  if (now.visits < LEAST_VISITS || before.visits < LEAST_VISITS) return '';
  const rate = ({ rated, visits }: Totals) => perHundred((100 * rated) / visits);
  return `${rate(now)} clicks per 100 visits, were ${rate(before)}.`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
