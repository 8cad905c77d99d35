/** How the report writes changes and rates, and which figures a shared one hides. */
import { expect, test } from 'vitest';
import { hideSmall } from '../../../server/report/hide-small.ts';
import { change, changeOfRate, rate } from '../../../server/report/numbers.ts';
import type { Row } from '../../../server/report/report.ts';

test.each([
  [1_204_000, 1_075, '+111,900%'],
  [96, 100, '−4%'],
  [998, 1000, '0%'],
  [14, 19, '−5'],
  [3, 0, 'new'],
  [0, 0, '–'],
  [5, null, '–'],
])('%j clicks after %j are a change of %s', (now, before, shown) => {
  expect(change(now, before)).toBe(shown);
});

test('a rate has one decimal, and needs 30 visits', () => {
  const counts = (visits: number, rated: number) => ({ visits, clicks: 99, rated });
  expect(rate(counts(1000, 129))).toBe('12.9');
  expect(rate(counts(29, 5))).toBe('–');
  expect(changeOfRate(counts(1000, 129), counts(1000, 123))).toBe('+0.6');
  expect(changeOfRate(counts(1000, 117), counts(1000, 123))).toBe('−0.6');
  expect(changeOfRate(counts(1000, 117), counts(29, 2))).toBe('–');
});

test('a reader of a shared table cannot tell a figure from 1 to 10, even with the rules at hand', () => {
  /** What a reader sees, and the tables that look so. */
  const looks = new Map<string, { table: number[]; hidden: number[] }[]>();
  const values = Array.from({ length: 24 }, (_, n) => n);
  const tables = values.flatMap((a) => values.flatMap((b) => values.map((c) => [a, b, c])));
  for (const table of tables) {
    const rows = table.map((visits) => ({ now: { visits, clicks: 0 } })) as Row[];
    const set = hideSmall(rows)?.visits;
    if (!set) continue;
    const hidden = table.flatMap((_, i) => (set.has(rows[i] as Row) ? [i] : []));
    const shown = table.map((n, i) => (hidden.includes(i) ? 'hidden' : n));
    const look = [...shown, table.reduce((sum, n) => sum + n, 0)].join();
    looks.set(look, [...(looks.get(look) ?? []), { table, hidden }]);
  }
  const told = [...looks].filter(([, alike]) =>
    alike[0]?.hidden.some((i) => {
      const possible = new Set(alike.map(({ table }) => table[i] ?? 0));
      return possible.size < 3 && [...possible].every((n) => n < 11);
    }),
  );
  expect(looks.size).toBeGreaterThan(1000);
  expect(told).toEqual([]);
});
