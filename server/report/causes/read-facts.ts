/**
 * Reads the sentences that the report opens with, and the weekly mail has. Nothing is computed here
 * but words.
 */
import type { Database } from '../../database/database.ts';
import { printable } from '../../html/safe-text.ts';
import { readLinks } from '../../links/known-links.ts';
import { readNotes } from '../figures/notes.ts';
import { describeValue } from '../figures/selection.ts';
import type { Length, PeriodFacts } from './explain-period.ts';
import { type FactSentence, type Naming, sentencesOf } from './fact-sentences.ts';
import { type NameOf, plainNames } from './words.ts';

/** @returns of each kept period, the shortest first; none: no day was looked at yet */
export async function readPeriods(db: Database): Promise<PeriodFacts[]> {
  const rows = await db.read('SELECT facts FROM report_facts ORDER BY length');
  return rows.map(({ facts }) => JSON.parse(String(facts)));
}

/**
 * Reads what changed, why, and what to look at, each with the address of its rows.
 *
 * @param length of the period, in days, against the period before
 * @returns none: no day was looked at yet
 */
export async function readFacts(db: Database, length: Length): Promise<FactSentence[]> {
  const period = (await readPeriods(db)).find((one) => one.length === length);
  return period ? sentencesOf(period, await readNaming(db)) : [];
}

/** The team's own names and notes. */
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
