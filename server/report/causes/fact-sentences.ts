/** Writes the stored facts of a period as sentences: what changed, why, and what to look at. */

import type { Note } from '../figures/notes.ts';
import { LEAST_VISITS_OF_RATE } from '../figures/numbers.ts';
import type { KeptFact, PeriodFacts, Totals } from './explain-period.ts';
import {
  addressOf,
  adviceFor,
  changeSentence,
  farBelowSentence,
  holeSentence,
  notesOf,
  rateLoweredBy,
  rateMovedBy,
  type Sentence,
} from './sentences.ts';
import { lowerFirst, type NameOf, number, perHundred, plural } from './words.ts';

/**
 * A sentence with its role. `changed`: the totals; `why`: a fact that explains them; `look`: a fact
 * about which somebody can do something; `usual`: there is no fact.
 */
export interface FactSentence extends Sentence {
  role: 'changed' | 'why' | 'look' | 'usual';
}

/** The team's texts for the sentences: its names of links and of values, and its notes. */
export interface Naming {
  nameOf: NameOf;
  notes: readonly Note[];
}

/**
 * Writes a period as its totals and at most three facts, or as one sentence that all is as usual.
 */
export function sentencesOf(period: PeriodFacts, naming: Naming): FactSentence[] {
  const address = addressOf({}, period.from, period.day);
  const totals = totalsInWords(period);
  if (period.facts.length === 0)
    return [{ role: 'usual', text: `As usual: ${lowerFirst(totals)}`, address }];
  const facts = period.facts.map((fact) => factSentence(fact, naming));
  return [{ role: 'changed', text: totals, address }, ...inOrder(facts)];
}

/** Puts the sentences about what to look at last. */
export const inOrder = (facts: readonly FactSentence[]): FactSentence[] =>
  facts.toSorted((a, b) => Number(a.role === 'look') - Number(b.role === 'look'));

/** Writes one fact, with advice if it is a fall that goes on. */
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

/** Returns a fact about the rate in other words than `factSentence`, and without its advice. */
export function rateSentenceOf(fact: KeptFact, naming: Naming): FactSentence {
  const sentence = factSentence(fact, naming);
  if (fact.kind === 'hole') return sentence;
  const { nameOf } = naming;
  const text =
    fact.kind === 'far' ? rateLoweredBy(fact.link, nameOf) : rateMovedBy(fact.change, nameOf);
  return { ...sentence, text };
}

/**
 * Writes the totals, and splits their difference to the period before into effects: more or fewer
 * visits, another mix of visitors, and how often they press. The effects add up to the difference.
 */
function totalsInWords({ length, now, before, expected }: PeriodFacts): string {
  const clicks = `${plural(now.clicks, 'click')} from ${plural(now.visits, 'visit')}`;
  if (before === null)
    return `${clicks} in ${length} days; the site is too young to compare them with the ${length} days before.`;
  const difference = now.clicks - before.clicks;
  const than = `than in the ${length} days before`;
  if (difference === 0) return `${clicks}, as many clicks as in the ${length} days before.`;
  const more = plural(Math.abs(difference), difference > 0 ? 'more click' : 'fewer click');
  const effects = effectsInWords(now, before, expected);
  return `${clicks}, ${more} ${than}${effects}. ${ratesInWords(now, before)}`.trim();
}

/** Writes the effects as `: +12 by more visits, −3 by …`. Effects below one click are left out. */
function effectsInWords(now: Totals, before: Totals, expected: number): string {
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
  const notable = effects.filter(([n]) => n !== 0);
  return notable.length === 0
    ? ''
    : `: ${notable.map(([n, words]) => `${n > 0 ? '+' : '−'}${number(Math.abs(n))} ${words}`).join(', ')}`;
}

/** Writes both click rates, unless one of the periods has too few visits for a rate. */
function ratesInWords(now: Totals, before: Totals): string {
  if (Math.min(now.visits, before.visits) < LEAST_VISITS_OF_RATE) return '';
  const rate = ({ rated, visits }: Totals) => perHundred((100 * rated) / visits);
  return `${rate(now)} clicks per 100 visits, were ${rate(before)}.`;
}
