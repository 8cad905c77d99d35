/** Computes the reading level of a text. */
import { syllable } from 'syllable';

/** Computes averages. @param blocks paragraphs or list items; each ends a sentence at its end */
function averages(blocks: readonly string[], syllablesOf: (word: string) => number) {
  const sentences = sentencesOf(blocks);
  const words = sentences.flat();
  const syllables = words.reduce((sum, word) => sum + Math.max(1, syllablesOf(word)), 0);
  return {
    wordsPerSentence: words.length / sentences.length,
    syllablesPerWord: syllables / words.length,
  };
}

/** Computes the reading level of an English text. `grade`: Flesch–Kincaid, in years of school. */
export function readingLevel(blocks: readonly string[]) {
  const { wordsPerSentence, syllablesPerWord } = averages(blocks, syllable);
  return { wordsPerSentence, grade: 0.39 * wordsPerSentence + 11.8 * syllablesPerWord - 15.59 };
}

/**
 * Computes how easy a Spanish text is to read, from 0 to 100, on the INFLESZ scale: the perspicuity
 * of Szigriszt Pazos (1993), graded by Barrio Cantalejo (2008) for patients. From 80 on a text is
 * "muy fácil", from 65 "bastante fácil", from 55 "normal".
 */
export function inflesz(blocks: readonly string[]) {
  const { wordsPerSentence, syllablesPerWord } = averages(blocks, spanishSyllables);
  return { wordsPerSentence, ease: 206.835 - 62.3 * syllablesPerWord - wordsPerSentence };
}

/** Vowels of which two in succession belong to two syllables: "le-er", "pa-ís". */
const STRONG = /[aeoáéóíú]/g;

/** Counts the syllables of a word. Numbers and abbreviations have none. */
function spanishSyllables(word: string): number {
  const spoken = word
    .toLowerCase()
    // The u of "que", "qui", "gue" and "gui" is silent, but not that of "güe".
    .replace(/([qg])u(?=[eiéí])/g, '$1')
    // A final y is a vowel: "hoy", "muy".
    .replace(/y(?![aeiouáéíóú])/g, 'i');
  const groups = spoken.match(/[aeiouáéíóúü]+/g) ?? [];
  return groups.reduce((sum, vowels) => sum + Math.max(1, vowels.match(STRONG)?.length ?? 0), 0);
}

/** Splits blocks into sentences, each an array of its words. "EE. UU." ends no sentence. */
export const sentencesOf = (blocks: readonly string[]): string[][] =>
  blocks
    .flatMap((block) => block.replaceAll('EE. UU.', 'EE UU').split(/(?<=[.!?…]["”’»)]?)\s+/))
    .map(wordsOf)
    .filter((words) => words.length > 0);

export const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
