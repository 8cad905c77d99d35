/** Format characters (with marks of direction) and halves of characters. */
const INVISIBLE = /[\p{Cf}\p{Cs}]/gu;
/** Control characters and line separators end a word, and so does white space. */
const GAPS = /[\s\p{Cc}]+/gu;

/**
 * Makes one line of a text that a stranger wrote: without characters that are invisible, move the
 * cursor or turn the text round.
 *
 * @param longest the most characters of the result. A longer text ends with "…".
 */
export function printable(text: string, longest: number): string {
  const characters = [...text.replace(INVISIBLE, '').replace(GAPS, ' ').trim()];
  if (characters.length <= longest) return characters.join('');
  return `${characters.slice(0, longest - 1).join('')}…`;
}
