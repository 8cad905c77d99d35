import { expect, test } from 'vitest';
import { nearestCode } from '../../../server/links/nearest-code.ts';

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
  expect(nearestCode(ref, CODES)).toBe(code);
});

test('a swap of two letters is nearer than two other letters', () => {
  expect(nearestCode('abdc', ['abxy', 'abcd'])).toBe('abcd');
});

test('without codes there is none', () => {
  expect(nearestCode('clinic-7', [])).toBeNull();
});
