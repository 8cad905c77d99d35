import { expect, test } from 'vitest';
import { csvCell } from '../../../server/text/csv-cell.ts';

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const BEFORE = ['', ' ', '\u00a0', '\u200b', '\ufeff', '\t', '\r', '\n', '\u3000 '];

test.each(BEFORE)('a formula after %j becomes a text', (before) => {
  for (const sign of SIGNS) {
    const cell = csvCell(`${before}${sign}1+1`);
    expect(cell.replace(/^"/, '').startsWith("'")).toBe(true);
  }
});

test('other values stay as they are, and are quoted where CSV needs it', () => {
  expect(['clinic-7', 'a=b', '7', 'Zürich', ''].map(csvCell)).toEqual([
    ...['clinic-7', 'a=b', '7', 'Zürich', ''],
  ]);
  expect([csvCell('a,b'), csvCell('say "hi"'), csvCell(-7), csvCell(null)]).toEqual([
    ...['"a,b"', '"say ""hi"""', '-7', ''],
  ]);
});
