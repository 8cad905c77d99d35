import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { LINES_OPTIONS, lines } from '../../../cli/lines.ts';
import { figureRows } from '../../../server/report/print-rows.ts';
import { readReport } from '../../../server/report/read-report.ts';
import { makeOddLedgers, REPORT_END } from '../../helpers/server/report-ledger.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';

const DAY_MS = 86_400_000;

/** Splits commands as a shell does. */
function shellWords(commands: string[]): string[][] {
  const script = commands.map(
    (text) => `printf '%s\\0' ${text.replace(/^.*? lines /, '')}; printf '\\n\\0'`,
  );
  const out = execFileSync('bash', ['-c', script.join('\n')], { encoding: 'utf8', maxBuffer: 1e8 });
  return out
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

test('each figure of a report is the number of lines that its command prints', async () => {
  const folders = makeOddLedgers(makeDataDir(), 4711, 250);
  const [dataDir = '', ...others] = folders;
  const asOf = REPORT_END - 2.3 * DAY_MS;
  const report = await readReport({
    ...{
      dataDir,
      folders: others,
      since: REPORT_END - 16 * DAY_MS,
      until: REPORT_END - DAY_MS,
      asOf,
    },
    ...{ top: 3, receipts: null, isShared: false, warn: () => {} },
  });
  const rows = figureRows(report).filter(({ command }) => command !== null);
  expect(new Set(rows.map(({ table }) => table))).toEqual(
    new Set([
      'totals',
      'day',
      'week',
      'hour',
      'event',
      'ref',
      'campaign',
      'domain',
      'device',
      'screen',
      'via',
      'robots',
    ]),
  );
  const words = shellWords(rows.map(({ command }) => command ?? ''));
  const unequal: unknown[] = [];
  for (const [i, row] of rows.entries()) {
    const { values } = parseArgs({ args: words[i] ?? [], options: LINES_OPTIONS });
    let printed = 0;
    await lines([dataDir, ...(values.ledger ?? [])], values, (line) => {
      if (line.toString().endsWith('\n')) printed += 1;
    });
    if (printed !== row.value) unequal.push({ ...row, printed });
  }
  expect(unequal).toEqual([]);
  expect(rows.filter(({ value }) => Number(value) > 0).length).toBeGreaterThan(100);
});
