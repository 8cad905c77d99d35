/**
 * Computes the reading level of a Spanish text.
 *
 * Flesch–Kincaid does not fit Spanish, because Spanish words have more syllables. This is the score of J. Fernández Huerta
 * ("Medidas sencillas de lecturabilidad", Consigna 214, 1959, pages 29 to 32), with the correction that G. Law published in
 * 2011 (LINGUIST List 22.2332): it takes the words per sentence, not the sentences.
 */
import { sentencesOf } from './reading-level.ts';

export interface SpanishReadingLevel {
  words: number;
  wordsPerSentence: number;
  /** Up to about 100, which is very easy. 60 to 70 fits grades 7 and 8, and 80 to 90 fits grade 5. */
  score: number;
}

/** @param blocks paragraphs, headings or list items; the end of each block ends a sentence */
export function spanishReadingLevel(blocks: readonly string[]): SpanishReadingLevel {
  const sentences = sentencesOf(blocks);
  const words = sentences.flat();
  const syllables = words.reduce((sum, word) => sum + spanishSyllables(word), 0);
  const wordsPerSentence = words.length / sentences.length;
  const score = 206.84 - 60 * (syllables / words.length) - 1.02 * wordsPerSentence;
  return { words: words.length, wordsPerSentence, score };
}

/** Two of these vowels next to each other belong to two syllables: "le-er", "pa-ís". */
const STRONG = /[aeoáéóíú]/g;

/** Counts the syllables of a word. Numbers and abbreviations without vowels count as one. */
export function spanishSyllables(word: string): number {
  const spoken = word
    .toLowerCase()
    // The u of "que", "qui", "gue" and "gui" is silent, but not that of "güe".
    .replace(/([qg])u(?=[eiéí])/g, '$1')
    // A final y is a vowel: "hoy", "muy".
    .replace(/y(?![aeiouáéíóú])/g, 'i');
  const groups = spoken.match(/[aeiouáéíóúü]+/g) ?? [];
  const syllables = groups.map((group) => Math.max(1, group.match(STRONG)?.length ?? 0));
  return Math.max(
    1,
    syllables.reduce((sum, count) => sum + count, 0),
  );
}
