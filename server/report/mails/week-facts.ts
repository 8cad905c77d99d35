/** Says what is or was unusual in a week, by the memory of the alerts. */
import type { Change } from '../causes/change.ts';
import { dayAfter } from '../causes/counts.ts';
import { changeSentence, overSentence, type Sentence } from '../causes/sentences.ts';
import { openOn, type Told } from '../causes/told.ts';
import type { ReportSource, readReport } from '../figures/read-report.ts';
import { readMemory } from './alert.ts';
import type { MailContext } from './context.ts';

const MOST_FACTS = 3;

export interface Week {
  /** First and last day: 2026-01-26 and 2026-02-01. */
  from: string;
  to: string;
}

interface Parts extends MailContext {
  source: ReportSource;
  read: typeof readReport;
  now: number;
}

/**
 * Returns at most three facts that are still so, or were in this week: falls before rises, the
 * newest first. Null: nobody has looked at the whole week yet.
 */
export async function readWeekFacts(parts: Parts, week: Week): Promise<Sentence[] | null> {
  const memory = await readMemory(parts.source.db);
  if (memory === null || memory.day < week.to) return null;
  const told = chooseTold(memory.told, week);
  const facts: Sentence[] = [];
  for (const one of told) facts.push(await describeTold(parts, one, week));
  return facts;
}

function chooseTold(told: readonly Told[], { from, to }: Week): Told[] {
  const before = told.filter(({ since }) => since <= to);
  const open = openOn(before, to);
  const ended = before.filter(
    ({ ended: end }) => end !== null && end > from && end <= dayAfter(to, 1),
  );
  const rankOf = (one: Told) => (one.ratio > 1 ? 2 : 0) + (one.ended === null ? 0 : 1);
  return [...open, ...ended]
    .sort((a, b) => rankOf(a) - rankOf(b) || b.since.localeCompare(a.since))
    .slice(0, MOST_FACTS);
}

/** A fall that is over is said as such. Any other change has its amounts until the week's end. */
async function describeTold(parts: Parts, told: Told, { to }: Week): Promise<Sentence> {
  const { source, read, now, nameOf, notes } = parts;
  const { slice, measure, usual, since, ended } = told;
  const last = ended === null ? to : dayAfter(ended, -1);
  const until = last < since ? since : last;
  const report = await read(source, { ...slice, from: since, to: until }, now);
  const { visits, rated: clicks } = report.now;
  const amount =
    measure === 'visits' ? visits / report.question.length : (100 * clicks) / Math.max(1, visits);
  const fact = { slice, measure, now: amount, usual, counts: { visits, clicks }, since };
  const change: Change = { ...fact, until, isOpen: ended === null };
  if (ended === null || told.ratio > 1) return changeSentence(change, notes, nameOf);
  return overSentence({ ...change, until: ended }, nameOf);
}
