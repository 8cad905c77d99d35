/**
 * Computes how easy a Spanish text is to read: the perspicuity of Szigriszt Pazos (1993), as Barrio Cantalejo (2008) grades it for
 * texts for patients: the INFLESZ scale. From 80 on a text is "muy fácil", from 65 "bastante fácil", from 55 "normal".
 */
import { sentencesOf } from '../browser/reading-level.ts';
import { spanishSyllables } from '../browser/spanish-reading-level.ts';

export interface Ease {
  words: number;
  wordsPerSentence: number;
  /** About 0 to 100; more is easier. */
  ease: number;
}

/** @param blocks paragraphs, headings or list items; the end of each block ends a sentence */
export function inflesz(blocks: readonly string[]): Ease {
  const sentences = sentencesOf(blocks);
  const words = sentences.flat();
  const syllables = words.reduce((sum, word) => sum + spanishSyllables(word), 0);
  const wordsPerSentence = words.length / sentences.length;
  const ease = 206.835 - 62.3 * (syllables / words.length) - wordsPerSentence;
  return { words: words.length, wordsPerSentence, ease };
}
