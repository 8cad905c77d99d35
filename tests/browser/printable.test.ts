import { expect, test } from 'vitest';
import { printable } from '#browser/printable.ts';

test.each([
  ['as it is', '503: Später wieder. 😀', '503: Später wieder. 😀'],
  ['without control characters', '503:\u0000 a\r\n\tb\u2028c\u001b[31md', '503: a b c [31md'],
  ['without marks of direction', '\u202e503: \u2066abc\u2069\u200f\u061c', '503: abc'],
  ['without what has no width', 'a\u200bb\u00adc\ufeffd', 'abcd'],
  ['without half a character', 'a\ud83db', 'ab'],
  ['without what has no shape', 'a\ue000b\u0378c\u{f0000}d', 'abcd'],
  ['empty where nothing is to see', ' \n\u200b\u0007 ', ''],
])('a text is one line, %s', (_, text, line) => {
  expect(printable(text, 200)).toBe(line);
});

test.each([
  ['0123456789', '0123456789'],
  ['01234567890', '012345678…'],
  ['😀'.repeat(10), '😀'.repeat(10)],
  ['😀'.repeat(11), `${'😀'.repeat(9)}…`],
])('of at most ten characters, %s is %s', (text, line) => {
  expect(printable(text, 10)).toBe(line);
});
