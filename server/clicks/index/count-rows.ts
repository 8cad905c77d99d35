import type { ClickRow } from './click-index.ts';

/** How many fresh clicks a group brings to each counter; nearly always one counter or two. */
export function countRows(rows: readonly ClickRow[], fresh: readonly boolean[]) {
  const counts: { row: ClickRow; n: number }[] = [];
  for (const [i, row] of rows.entries()) {
    if (!fresh[i]) continue;
    const same = counts.find(
      ({ row: r }) => r.event === row.event && r.day === row.day && r.isBot === row.isBot,
    );
    if (same) same.n += 1;
    else counts.push({ row, n: 1 });
  }
  return counts;
}
