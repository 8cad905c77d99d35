import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { readJsonOptions } from '../../../cli/json-options.ts';
import { LINES_OPTIONS, lines } from '../../../cli/lines.ts';
import { figureRows } from '../../../server/report/print-rows.ts';
import { readReport } from '../../../server/report/read-report.ts';
import { makeOddLedgers, REPORT_END } from '../../helpers/server/report-ledger.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';
import { shellWords } from '../../helpers/server/shell-words.ts';

const DAY_MS = 86_400_000;

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
  const commands = rows.map(({ command }) => command ?? '');
  const words = shellWords('bash', commands);
  expect(shellWords('dash', commands)).toEqual(words);
  const unequal: unknown[] = [];
  for (const [i, row] of rows.entries()) {
    const { values } = parseArgs({
      args: readJsonOptions(words[i] ?? [], new Set(Object.keys(LINES_OPTIONS))),
      options: LINES_OPTIONS,
    });
    let printed = 0;
    await lines(values.ledger ?? [], values, (line) => {
      if (line.toString().endsWith('\n')) printed += 1;
    });
    if (printed !== row.value) unequal.push({ ...row, printed });
  }
  expect(unequal).toEqual([]);
  expect(rows.filter(({ value }) => Number(value) > 0).length).toBeGreaterThan(100);
});
