/**
 * Reads the stored facts of each period, and the names and notes with which they become sentences,
 * for the report and the weekly mail. The daily job has computed the facts.
 */
import type { Database } from '../../database/database.ts';
import { printable } from '../../html/safe-text.ts';
import { readLinks } from '../../links/known-links.ts';
import { readNotes } from '../figures/notes.ts';
import { describeValue } from '../figures/selection.ts';
import type { Length, PeriodFacts } from './explain-period.ts';
import { type FactSentence, type Naming, sentencesOf } from './fact-sentences.ts';
import { type NameOf, plainNames } from './words.ts';

/** Reads the stored facts of all periods, the shortest first. None: no day was looked at yet. */
export async function readPeriods(db: Database): Promise<PeriodFacts[]> {
  const rows = await db.read('SELECT facts FROM report_facts ORDER BY length');
  return rows.map(({ facts }) => JSON.parse(String(facts)));
}

/**
 * Reads the sentences of one period: what changed, why, and what to look at.
 *
 * @param length days of the period
 * @returns sentences, each with its address in the report; none: no day was looked at yet
 */
export async function readFacts(db: Database, length: Length): Promise<FactSentence[]> {
  const period = (await readPeriods(db)).find((stored) => stored.length === length);
  return period ? sentencesOf(period, await readNaming(db)) : [];
}

/** Reads the names of links and the notes of the team. */
export async function readNaming(db: Database): Promise<Naming> {
  const names = new Map((await readLinks(db)).map(({ key, name }) => [key, name]));
  const nameOf: NameOf = (dimension, value) => {
    if (dimension === 'ref') return printable(names.get(value) ?? value);
    if (dimension === 'class') return describeValue(dimension, value).name;
    if (dimension === 'cta') return `Button (${describeValue(dimension, value).code || value})`;
    return printable(plainNames(dimension, value));
  };
  return { nameOf, notes: await readNotes(db) };
}
