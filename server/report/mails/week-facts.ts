/** Reads what was unusual in a week: the facts that the look at its last day has stored. */
import type { KeptFact } from '../causes/explain-period.ts';
import { factSentence } from '../causes/fact-sentences.ts';
import { readPeriods } from '../causes/read-facts.ts';
import { changeSentence, type Sentence } from '../causes/sentences.ts';
import { subjectOf } from '../causes/write-alert.ts';
import type { ReportSource } from '../figures/read-report.ts';
import type { MailContext } from './context.ts';

const WEEK_DAYS = 7;

/** A fact of a week as a sentence. */
export interface WeekFact extends Sentence {
  /** The sentence without notes and advice, for the subject of the mail. */
  news: string;
}

/**
 * Reads at most three facts, the most important first.
 *
 * @param to last day of the week: 2026-02-01
 * @returns null: no facts of this week are stored
 */
export async function readWeekFacts(
  { db }: Pick<ReportSource, 'db'>,
  to: string,
  context: MailContext,
): Promise<WeekFact[] | null> {
  const periods = await readPeriods(db);
  const week = periods.find(({ length, day }) => length === WEEK_DAYS && day === to);
  return week ? week.facts.map((fact) => toWeekFact(fact, context)) : null;
}

function toWeekFact(fact: KeptFact, context: MailContext): WeekFact {
  const sentence = factSentence(fact, context);
  const { change } = fact.kind === 'change' ? fact : { change: null };
  const bare = change ? changeSentence(change, [], context.nameOf) : sentence;
  return { ...sentence, news: subjectOf(bare) };
}
