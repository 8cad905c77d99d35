import * as style from './style.ts';

const escapeXml = (words: string) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @param attributes further ones of the element */
export const text = (x: number, y: number, words: string, attributes = '') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${style.INK}" ${attributes}>${escapeXml(words)}</text>`;

/** For words of less weight. */
export const quiet = `style="fill:${style.QUIET}"`;
