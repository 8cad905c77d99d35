import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDiff, readReport } from '../../../server/report/read-report.ts';
import type { Report, TableId } from '../../../server/report/report.ts';
import { makeOddLedgers, REPORT_END } from '../../helpers/server/report-ledger.ts';
import { runCli } from '../../helpers/server/run-cli.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';

const DAY_MS = 86_400_000;
const [A, B] = [REPORT_END - 6 * DAY_MS, REPORT_END - 2.5 * DAY_MS];
const SCOPE = { since: REPORT_END - 15 * DAY_MS, until: REPORT_END };

const figures = (report: Report, id: TableId, column: number) =>
  new Map(
    report.tables
      .filter((table) => table.id === id)
      .flatMap(({ rows }) => rows)
      .map(({ label, cells }) => [label, cells[column] ?? 0]),
  );

describe('diff', () => {
  test('explains the whole difference between the reports as of the two times, in every table', async () => {
    const [dataDir = '', ...folders] = makeOddLedgers(makeDataDir(), 99, 2000);
    const shared = { ...SCOPE, dataDir, folders, warn: () => {}, top: 1000 };
    const diff = await readDiff({ ...shared, before: A, asOf: B });
    const reports = [
      await readReport({ ...shared, receipts: null, isShared: false, asOf: A }),
      await readReport({ ...shared, receipts: null, isShared: false, asOf: B }),
    ] as const;
    let late = 0;
    for (const { id, rows } of diff.tables) {
      const [before, after] = reports.map((report) => figures(report, id, 0));
      for (const { label, cells } of rows) {
        expect([label, cells[0], cells[3]]).toEqual([
          label,
          before?.get(label) ?? 0,
          after?.get(label),
        ]);
        expect(cells[3]).toBe(Number(cells[0]) + Number(cells[1]) + Number(cells[2]));
        late += Number(cells[1]);
      }
      // All changed figures are listed, and only these.
      const changed = [...(after ?? [])].filter(
        ([label, n]) => label !== 'All' && n !== (before?.get(label) ?? 0),
      );
      expect(rows.map(({ label }) => label).sort()).toEqual(changed.map(([label]) => label).sort());
    }
    expect(diff.tables.length).toBeGreaterThan(9);
    expect(late).toBeGreaterThan(50);
  });

  test('tells a click that a browser delivered late from one that was made since, and names deleted files', async () => {
    const dataDir = makeDataDir();
    const line = (n: number, made: string, received: string, more = {}) =>
      JSON.stringify({
        ...{
          id: `019c1234-5678-7abc-8def-00000000000${n}`,
          visit_id: null,
          event: 'hero_cta_click',
        },
        ...{
          referrer: 'clinic-7',
          timestamp: made,
          page_url: 'https://site.example/',
          user_agent: 'x',
        },
        ...{ sent_at: received, received_at: received, is_bot: false, ...more },
      });
    const lines = [
      line(1, '2026-01-10T10:00:00.000Z', '2026-01-10T10:00:01.000Z'),
      line(2, '2026-01-10T10:00:00.000Z', '2026-01-12T10:00:00.000Z'),
      line(3, '2026-01-12T11:00:00.000Z', '2026-01-12T11:00:01.000Z'),
      // The browser's clock is a year behind.
      line(4, '2025-01-12T11:00:00.000Z', '2026-01-12T11:00:01.000Z', {
        sent_at: '2025-01-12T11:00:01.000Z',
      }),
      line(1, '2026-01-10T10:00:00.000Z', '2026-01-12T12:00:00.000Z'),
    ];
    writeFileSync(join(dataDir, 'clicks.jsonl'), lines.map((text) => `${text}\n`).join(''));
    const note = {
      deleted_at: '2026-01-12T03:00:00.000Z',
      ...{ file: 'clicks.jsonl-20260105', clicks: 40, robots: 2 },
      ...{ oldest: '2026-01-04T00:00:00.000Z', newest: '2026-01-05T00:00:00.000Z' },
    };
    writeFileSync(join(dataDir, 'clicks.deleted.jsonl'), `${JSON.stringify(note)}\n`);
    const times = ['--as-of', '2026-01-11T00:00:00Z', '--as-of', '2026-01-13T00:00:00Z'];
    const { out } = await runCli('clicks.ts', ['diff', ...times], { DATA_DIR: dataDir });
    const rows = out.split('\n').map((text) => text.replace(/ {2,}/g, '  '));
    expect(rows).toContain('Clicks  1  1  2  4');
    expect(rows).toContain('clinic-7  1  1  2  4');
    expect(rows).toContain('Repeated lines, not counted  0  0  1  1');
    expect(out).toContain(
      'CLICK_RETENTION_DAYS deleted clicks.jsonl-20260105 at 2026-01-12T03:00:00.000Z, with 40 clicks',
    );
    expect(out).toContain('A new list of robots changes none of these figures');
    const wrong = await runCli('clicks.ts', ['diff', '--as-of', '2026-01-11'], {
      DATA_DIR: dataDir,
    });
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('Give --as-of twice') });
  });
});
