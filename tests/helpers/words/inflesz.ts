/**
 * Computes how easy a Spanish text is to read: the perspicuity of Szigriszt Pazos (1993), as Barrio Cantalejo (2008) grades it for
 * texts for patients: the INFLESZ scale. From 80 on a text is "muy fácil", from 65 "bastante fácil", from 55 "normal".
 */
import { sentencesOf } from './reading-level.ts';

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

/** Two of these vowels next to each other belong to two syllables: "le-er", "pa-ís". */
const STRONG = /[aeoáéóíú]/g;

/** Counts the syllables of a word. Numbers and abbreviations without vowels count as one. */
function spanishSyllables(word: string): number {
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
