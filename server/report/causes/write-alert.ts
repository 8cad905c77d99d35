/** Says what is new or over: what, since when, how large, where to look, and what to do first. */
import type { Change } from './change.ts';
import { adviceFor, changeSentence, type Note, overSentence, type Sentence } from './sentences.ts';
import { type NameOf, plainNames } from './words.ts';

export interface Alert {
  /** The first sentence, as the subject of a mail. */
  subject: string;
  sentences: Sentence[];
  /** What to do first. */
  advice: string[];
}

/** What the site adds to the words. */
export interface Context {
  notes?: readonly Note[];
  nameOf?: NameOf;
}

/** @returns null: there is nothing to say */
export function writeAlert(
  changes: readonly Change[],
  over: readonly Change[],
  { notes = [], nameOf = plainNames }: Context,
): Alert | null {
  const sentences = [
    ...changes.map((one) => changeSentence(one, notes, nameOf)),
    ...over.map((one) => overSentence(one, nameOf)),
  ];
  const [first] = sentences;
  if (!first) return null;
  return { subject: subjectOf(first), sentences, advice: [...new Set(changes.map(adviceFor))] };
}

/** A sentence without its end, and without the notes of the team. */
export const subjectOf = ({ text }: Sentence): string => text.replace(/\. Your note.*|\.$/s, '');
