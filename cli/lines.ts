/** `clicks lines`: prints exactly the ledger's lines behind a figure of the report. */
import type { parseArgs } from 'node:util';
import { dataFiles } from '../server/data-files.ts';
import { scanLedgers } from '../server/report/engine/scan.ts';
import { printLines } from '../server/report/print-lines.ts';
import { readSelection, SELECT_OPTIONS } from '../server/report/select-options.ts';
import { readScope, SCOPE_OPTIONS } from './report.ts';
import { UsageError } from './usage-error.ts';
import { warn } from './warn.ts';

export const LINES_OPTIONS = { ...SCOPE_OPTIONS, ...SELECT_OPTIONS } as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof LINES_OPTIONS }>>['values'];

export async function lines(
  folders: string[],
  values: Values,
  write: (line: Buffer) => void,
): Promise<void> {
  const scope = readScope(values, Date.now());
  const ledgers = folders.map((folder) => dataFiles(folder).ledger);
  await scanLedgers(
    ledgers,
    { until: scope.asOf, question: { tally: null, filter: selection(values, scope) } },
    async (scan) => {
      for (const warning of scan.warnings) warn(warning);
      await printLines(scan, write);
    },
  );
}

function selection(values: Values, scope: { since: number; until: number }) {
  try {
    return readSelection(values, scope);
  } catch (cause) {
    throw new UsageError((cause as Error).message);
  }
}
