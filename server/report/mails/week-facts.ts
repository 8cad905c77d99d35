/** Says what was unusual in a week, by the facts that the look at its last day has kept. */
import type { KeptFact } from '../causes/explain-period.ts';
import { factSentence } from '../causes/fact-sentences.ts';
import { readPeriods } from '../causes/read-facts.ts';
import { changeSentence, type Sentence } from '../causes/sentences.ts';
import { subjectOf } from '../causes/write-alert.ts';
import type { ReportSource } from '../figures/read-report.ts';
import type { MailContext } from './context.ts';

const WEEK_DAYS = 7;

export interface WeekFact extends Sentence {
  /** For the subject of a mail: without notes and advice. */
  news: string;
}

/** Returns at most three facts, the most important first. Null: no look has compared this week. */
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
