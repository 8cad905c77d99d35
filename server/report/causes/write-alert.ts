/**
 * Writes the mail about what is new or over: what, since when, how large, why, and where to look.
 */
import type { Change } from './change.ts';
import { adviceFor, changeSentence, type Note, overSentence, type Sentence } from './sentences.ts';
import { type NameOf, plainNames } from './words.ts';

export interface Mail {
  subject: string;
  text: string;
}

/** What the site adds to the words. */
export interface Context {
  notes?: readonly Note[];
  nameOf?: NameOf;
  productName?: string;
  siteUrl?: string;
}

/** @returns null: there is nothing to say */
export function writeAlert(
  changes: readonly Change[],
  over: readonly Change[],
  context: Context,
): Mail | null {
  const { notes = [], nameOf = plainNames } = context;
  const sentences = [
    ...changes.map((one) => changeSentence(one, notes, nameOf)),
    ...over.map((one) => overSentence(one, nameOf)),
  ];
  return writeMail(sentences, changes.map(adviceFor), context);
}

export function writeMail(
  sentences: readonly Sentence[],
  advice: readonly string[],
  { productName = 'Site', siteUrl = '' }: Context,
): Mail | null {
  const [first] = sentences;
  if (!first) return null;
  const news = first.text.replace(/\. Your note.*|\.$/s, '');
  const lines = sentences.map(({ text, address }) => `${text}\n${siteUrl}/report?${address}\n`);
  const text = [...lines, ...new Set(advice)].join('\n');
  return { subject: `${productName}: ${news}`, text: `${text.trimEnd()}\n` };
}
