import { expect, test } from 'vitest';
import { SMALLEST_SHOWN, type SourceRow, suppressSmall } from '../../../server/report/suppress.ts';
import { randomFrom } from '../../helpers/server/report-ledger.ts';

const EVENTS = 2;

function makeRows(random: () => number): SourceRow[] {
  const count = 1 + Math.floor(random() * 9);
  const largest = [6, 14, 30, 90][Math.floor(random() * 4)] as number;
  const rows = Array.from({ length: count }, (_, i) => {
    const cells = Array.from({ length: EVENTS }, () => Math.floor(random() ** 2 * largest));
    return { key: i === 0 && random() < 0.7 ? '' : `clinic-${i}`, cells };
  });
  return toRows(rows.map(({ key, cells }) => [key, cells]));
}

const toRows = (rows: [string, number[]][]): SourceRow[] =>
  rows
    .map(([key, cells]) => ({ key, cells, clicks: cells.reduce((a, b) => a + b, 0) }))
    .filter(({ clicks }) => clicks > 0)
    .sort((a, b) => b.clicks - a.clicks || (a.key < b.key ? -1 : 1));

/** What a reader sees: the rows, and the totals of the calls to action. */
function published(rows: SourceRow[], top: number): string {
  const { shown, rest, hasRows } = suppressSmall(rows, top);
  const totals = Array.from({ length: EVENTS }, (_, i) =>
    rows.reduce((sum, { cells }) => sum + (cells[i] ?? 0), 0),
  );
  return JSON.stringify([shown, rest && [rest.clicks, rest.cells], hasRows, totals]);
}

/** A reader does not know which clinics have clicks: two that have none may have some. */
const withOthers = (rows: SourceRow[]): SourceRow[] => [
  ...rows,
  ...['clinic-x', 'clinic-y', ''].flatMap((key) =>
    rows.some((row) => row.key === key) ? [] : [{ key, clicks: 0, cells: [0, 0] }],
  ),
];

/** All data that differ from these by moving clicks between two clinics, or between two cells of two clinics. */
function* neighbours(rows: SourceRow[]): Generator<SourceRow[]> {
  const plain = rows.map(({ key, cells }): [string, number[]] => [key, cells.map(Number)]);
  for (let i = 0; i < rows.length; i += 1) {
    for (let j = 0; j < rows.length; j += 1) {
      if (i === j) continue;
      for (let column = 0; column < EVENTS; column += 1) {
        for (const back of [-1, ...Array(EVENTS).keys()]) {
          for (let n = 1; n <= 12; n += 1) {
            const other = plain.map(([key, cells]): [string, number[]] => [key, [...cells]]);
            const [a, b] = [other[i]?.[1], other[j]?.[1]];
            if (!a || !b || back === column) continue;
            a[column] = Number(a[column]) - n;
            b[column] = Number(b[column]) + n;
            if (back >= 0) {
              a[back] = Number(a[back]) + n;
              b[back] = Number(b[back]) - n;
            }
            if ([...a, ...b].every((cell) => cell >= 0)) yield toRows(other);
          }
        }
      }
    }
  }
}

const figuresOf = (rows: SourceRow[]) =>
  rows
    .filter(({ key }) => key !== '')
    .flatMap(({ key, clicks, cells }) => [
      [key, clicks] as const,
      ...cells.map((cell, i) => [`${key}/${i}`, Number(cell)] as const),
    ]);

test('no figure about a clinic below 11 is shown or can be computed from the others', () => {
  const computable: unknown[] = [];
  let small = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = randomFrom(seed * 104_729);
    const rows = makeRows(random);
    const top = 1 + Math.floor(random() * 6);
    const seen = published(rows, top);
    const possible = new Map(figuresOf(rows).map(([name, value]) => [name, new Set([value])]));
    for (const other of neighbours(withOthers(rows))) {
      if (published(other, top) !== seen) continue;
      const values = new Map(figuresOf(other));
      for (const [name, set] of possible) set.add(values.get(name) ?? 0);
    }
    for (const [name, value] of figuresOf(rows)) {
      const column = name.split('/')[1];
      const isNever = column && rows.every(({ cells }) => cells[Number(column)] === 0);
      if (value >= SMALLEST_SHOWN || isNever) continue;
      small += 1;
      if ((possible.get(name)?.size ?? 0) < 2)
        computable.push(JSON.stringify({ seed, top, name, value, rows, seen }));
    }
  }
  expect(small).toBeGreaterThan(500);
  expect(computable).toEqual([]);
});

test('the largest clinics are shown with all their figures', () => {
  const rows = toRows([
    ['clinic-1', [40, 30]],
    ['clinic-2', [30, 20]],
    ['clinic-3', [3, 4]],
    ['clinic-4', [30, 3]],
    ['clinic-5', [8, 1]],
  ]);
  const { shown, rest } = suppressSmall(rows, 10);
  expect(shown).toEqual([
    { key: 'clinic-1', clicks: 70, cells: [40, 30] },
    { key: 'clinic-2', clicks: 50, cells: [30, 20] },
    { key: 'clinic-4', clicks: 33, cells: [null, null] },
  ]);
  expect(rest).toMatchObject({ clicks: 16, cells: [null, null] });
});
