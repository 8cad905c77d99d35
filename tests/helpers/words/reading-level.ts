/** Computes the reading level of a text. */
import { syllable } from 'syllable';

export interface ReadingLevel {
  words: number;
  wordsPerSentence: number;
  /** Flesch–Kincaid grade: years of school. */
  grade: number;
}

/** @param blocks paragraphs, headings or list items; the end of each block ends a sentence */
export function readingLevel(blocks: readonly string[]): ReadingLevel {
  const sentences = sentencesOf(blocks);
  const words = sentences.flat();
  const syllables = words.reduce((sum, word) => sum + Math.max(1, syllable(word)), 0);
  const wordsPerSentence = words.length / sentences.length;
  const grade = 0.39 * wordsPerSentence + 11.8 * (syllables / words.length) - 15.59;
  return { words: words.length, wordsPerSentence, grade };
}

/** The words of each sentence. The full stops of "EE. UU." end no sentence. */
export const sentencesOf = (blocks: readonly string[]): string[][] =>
  blocks
    .flatMap((block) => block.replaceAll('EE. UU.', 'EE UU').split(/(?<=[.!?…]["”’»)]?)\s+/))
    .map(wordsOf)
    .filter((words) => words.length > 0);

export const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
