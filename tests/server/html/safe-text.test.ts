/**
 * A stranger's text in a CSV file is no formula, whatever sign a spreadsheet takes as separator.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell } from '../../../server/html/safe-text.ts';
import { formulasIn, readAsSpreadsheet } from '../../helpers/server/read-as-spreadsheet.ts';

const rowOf = (...cells: (string | number | null)[]) => `${cells.map(csvCell).join()}\r\n`;

test.each([
  ['a name', 'Ann', '"Ann"'],
  ['an empty text', '', '""'],
  ['no value', null, ''],
  ['a number below zero', -5, '-5'],
  ['quotes and a comma', 'Öst, "Bo"', '"Öst, ""Bo"""'],
  ['a code with signs inside', 'clinic-7+a=b@c', '"clinic-7+a=b@c"'],
  ['an address', 'https://a.example/?ref=b&x=-1', '"https://a.example/?ref=b&x=-1"'],
  ['a name with a dash', 'Clinic A - Lima', '"Clinic A - Lima"'],
  ['a formula', '=6*7', `"'=6*7"`],
  ['a formula behind a semicolon', 'Ann;=6*7;', `"Ann;'=6*7;"`],
  ['a formula in quotes behind a semicolon', 'Ann;"=6*7;', `"Ann;'""=6*7;"`],
  ['a formula behind a tab', 'Ann\t+6', `"Ann\t'+6"`],
  ['a formula behind a pipe and spaces', 'Ann|  @SUM(1)', `"Ann|'  '@SUM(1)"`],
  ['a formula behind a comma', 'Ann,-6', `"Ann,'-6"`],
  ['a formula in a new line', 'Ann\n=6*7', `"Ann\n'=6*7"`],
  ['a formula behind a space', 'Ann =6*7', `"Ann '=6*7"`],
  ['a sign behind a quote and a space, before a space', 'Ann "= ', `"Ann '""= "`],
  ['a full-width sign behind a semicolon', 'Ann;＝6', `"Ann;'＝6"`],
  ['a tab at the start', '\tAnn', `"'\tAnn"`],
])('%s', (_name, value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

const hostile = fc.string({
  unit: fc.constantFrom(...'=+-@＝,;|\t\r\n\v\f"\' \u00a0\u2028\u200b\0a6*('),
  maxLength: 12,
});

test('no text of a stranger begins a calculated cell, in any row and with any separator', () => {
  fc.assert(
    fc.property(hostile, hostile, (first, second) => {
      const csv = rowOf('id', first, 3, second, null, first) + rowOf(second, 'last');
      expect(formulasIn(csv)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('the cells are the texts, but for an apostrophe before each formula', () => {
  fc.assert(
    fc.property(hostile, (value) => {
      const [cell = ''] = readAsSpreadsheet(rowOf(value).trimEnd(), ',');
      expect(cell.replaceAll("'", '')).toBe(value.replaceAll("'", ''));
    }),
  );
});
