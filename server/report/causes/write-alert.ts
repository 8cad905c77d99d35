/**
 * Writes an alert about new and ended changes: what, since when, how large, and what to do first.
 */
import type { Note } from '../figures/notes.ts';
import type { Change } from './change.ts';
import { adviceFor, changeSentence, overSentence, type Sentence } from './sentences.ts';
import { type NameOf, plainNames } from './words.ts';

export interface Alert {
  /** Subject of the mail: the first sentence. */
  subject: string;
  sentences: Sentence[];
  /** What the team should do first, each sentence once. */
  advice: string[];
}

/** What the team adds: its notes, and its names of links. */
export interface Context {
  notes?: readonly Note[];
  nameOf?: NameOf;
}

/** Writes an alert. Null: there is neither a new nor an ended change. */
export function writeAlert(
  changes: readonly Change[],
  over: readonly Change[],
  { notes = [], nameOf = plainNames }: Context,
): Alert | null {
  const sentences = [
    ...changes.map((change) => changeSentence(change, notes, nameOf)),
    ...over.map((change) => overSentence(change, nameOf)),
  ];
  const [first] = sentences;
  if (!first) return null;
  return { subject: subjectOf(first), sentences, advice: [...new Set(changes.map(adviceFor))] };
}

/** Makes a subject from a sentence: without its full stop, and without the notes of the team. */
export const subjectOf = ({ text }: Sentence): string => text.replace(/\. Your note.*|\.$/s, '');
