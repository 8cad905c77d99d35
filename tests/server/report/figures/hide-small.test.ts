/** Small figures of a clinic's report. */
import { expect, test } from 'vitest';
import { hideSmall } from '../../../../server/report/figures/hide-small.ts';
import type { FigureRow } from '../../../../server/report/figures/report.ts';

const rowsOf = (table: number[]) =>
  table.map((visits) => ({ now: { visits, clicks: 0 } })) as FigureRow[];

test('a reader of a shared table cannot tell a figure from 1 to 10, even with the rules at hand', () => {
  /** The values that each figure can have, by the words and the total that a reader sees. */
  const looks = new Map<string, Set<number>[]>();
  const values = Array.from({ length: 24 }, (_, n) => n);
  for (const table of values.flatMap((a) => values.flatMap((b) => values.map((c) => [a, b, c])))) {
    const rows = rowsOf(table);
    const hidden = hideSmall(rows)?.visits;
    if (!hidden) continue;
    const total = table.reduce((sum, n) => sum + n, 0);
    const shown = rows.map((row) => (hidden.has(row) ? 'hidden' : row.now.visits));
    const look = [...shown, total].join();
    const possible = looks.get(look) ?? table.map(() => new Set<number>());
    for (const [i, n] of table.entries()) possible[i]?.add(n);
    looks.set(look, possible);
  }
  const told = [...looks].filter(([look, possible]) =>
    possible.some(
      (set, i) => look.split(',')[i] === 'hidden' && set.size < 3 && Math.max(...set) < 11,
    ),
  );
  expect(looks.size).toBeGreaterThan(1000);
  expect(told).toEqual([]);
  // Seven rows of at least 1 would tell the total, which is hidden.
  expect(hideSmall(rowsOf([1, 1, 1, 1, 2, 2, 2]))).toBeNull();
});
