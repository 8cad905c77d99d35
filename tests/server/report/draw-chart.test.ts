import { expect, test } from 'vitest';
import { drawChart } from '../../../server/report/html/draw-chart.ts';
import type { Table } from '../../../server/report/report.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test.each([7, 90, 91, 400])('in a period of %i days each bar can be seen', (days) => {
  const labels = Array.from({ length: days }, (_, n) =>
    new Date(Date.UTC(2020, 0, 1) + n * DAY_MS).toISOString().slice(0, 10),
  );
  const table = {
    id: 'day',
    columns: [{ title: 'Clicks' }],
    rows: labels.map((label) => ({ kind: 'row', label, cells: [5] })),
  } as unknown as Table;
  for (const size of ['wide', 'narrow'] as const) {
    const svg = drawChart(table, size) ?? '';
    const widths = [...svg.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(widths).toHaveLength(days);
    expect(Math.min(...widths)).toBeGreaterThan(0);
  }
});
