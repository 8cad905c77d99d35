/** How hard a text is to read, by the Flesch–Kincaid grade (a school year of the United States). */
export function readingLevel(text: string): { words: number; meanSentence: number; grade: number } {
  const sentences = text
    .split(/(?<=[.!?:])["”]?\s+/)
    .filter((sentence) => wordsOf(sentence).length > 0);
  const words = wordsOf(text);
  const meanSentence = words.length / sentences.length;
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return {
    words: words.length,
    meanSentence,
    grade: 0.39 * meanSentence + 11.8 * (syllables / words.length) - 15.59,
  };
}

export const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\d]+(?:[’'-][\p{L}]+)*/gu) ?? [];

/** The usual estimate: groups of vowels, without a silent e at the end. */
function syllablesOf(word: string): number {
  const plain = word
    .toLowerCase()
    .replace(/(?:[^laeiouy]es|[^aeiouyt]ed|[^l]e)$/, (end) => end[0] ?? '');
  return Math.max(1, plain.match(/[aeiouy]+/g)?.length ?? 1);
}
