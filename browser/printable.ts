/**
 * Characters without a shape: of format, such as the marks of text direction; single surrogates; for
 * private use; unassigned.
 */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
/** White space, line separators and control characters. Each run of them becomes one space. */
const GAPS = /[\s\p{Cc}]+/gu;

/**
 * Makes a stranger's text safe to show: one line, without characters that are invisible, move the
 * cursor or reverse the text.
 *
 * @param maxLength most characters of the result. A longer text is cut and ends with "…"
 */
export function printable(text: string, maxLength: number): string {
  const characters = [...text.replace(INVISIBLE, '').replace(GAPS, ' ').trim()];
  if (characters.length <= maxLength) return characters.join('');
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}
