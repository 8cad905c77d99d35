import { expect, test } from 'vitest';
import { nearestWord } from '#contract/nearest-word.ts';

const CODES = ['clinic-7', 'clinic-17', 'newsletter', 'Berlin'];

test.each([
  ['clinic-7', 'clinic-7'],
  ['CLINIC-7', 'clinic-7'],
  ['clinci-7', 'clinic-7'],
  ['clinc7', 'clinic-7'],
  ['clinic-177', 'clinic-17'],
  ['news-letter', 'newsletter'],
  ['berlim', 'Berlin'],
  // Only different.
  ['facebook', null],
  ['x', null],
  ['', null],
])('%j was probably meant to be %j', (ref, code) => {
  expect(nearestWord(ref, CODES)).toBe(code);
});

test('a swap of two letters is nearer than two other letters', () => {
  expect(nearestWord('abdc', ['abxy', 'abcd'])).toBe('abcd');
});

test('without codes there is none', () => {
  expect(nearestWord('clinic-7', [])).toBeNull();
});
