/** The commands next to the report's figures, where the report reads several data folders, or another one than the default. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { shellWords } from '../helpers/server/shell-words.ts';

interface Row {
  table: string;
  label: string;
  measure: string;
  value: number;
  command: string;
}

const A = () => makeLedger(line(1), line(2)).dataDir;
const B = () => makeLedger(line(3)).dataDir;
/** The report's number of clicks, the number of lines that its own command prints, and the folders in the command. */
async function compare(args: string[], env: Record<string, string>) {
  // A folder of its own, because a developer may have clicks in ./data.
  const cwd = makeDataDir();
  const report = await runCli('clicks.ts', ['report', '--format', 'jsonl', ...args], env, cwd);
  const rows: Row[] = report.out
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text));
  const row = rows.find(({ table, label }) => table === 'totals' && label === 'Clicks');
  const [words = []] = shellWords('dash', [row?.command ?? '']);
  const { out, err } = await runCli('clicks.ts', ['lines', ...words], env, cwd);
  const named = words.filter((_, i) => words[i - 1] === '--ledger');
  return { figure: row?.value, lines: out.split('\n').length - 1, err, named };
}

describe('a figure’s command prints its lines', () => {
  test('with REPORT_LEDGERS=A,B and no DATA_DIR', async () => {
    const [a, b] = [A(), B()];
    const made = await compare([], { REPORT_LEDGERS: `${a},${b}` });
    expect(made).toEqual({ figure: 3, lines: 3, err: '', named: [a, b] });
  });

  test('with --ledger A --ledger B and no DATA_DIR', async () => {
    const [a, b] = [A(), B()];
    const made = await compare(['--ledger', a, '--ledger', b], {});
    expect(made).toEqual({ figure: 3, lines: 3, err: '', named: [a, b] });
  });

  test.each([
    ['no DATA_DIR', {}],
    ['REPORT_LEDGERS of other folders', { REPORT_LEDGERS: '/nonexistent' }],
  ])('with --ledger B alone and %s', async (_what, env) => {
    const b = B();
    const made = await compare(['--ledger', b], env);
    expect(made).toEqual({ figure: 1, lines: 1, err: '', named: [b] });
  });

  test('with DATA_DIR=A and --ledger B', async () => {
    const [a, b] = [A(), B()];
    const made = await compare(['--ledger', b], { DATA_DIR: a });
    expect(made).toEqual({ figure: 3, lines: 3, err: '', named: [a, b] });
  });

  test('with DATA_DIR=A alone, and names no folder', async () => {
    const made = await compare([], { DATA_DIR: A() });
    expect(made).toEqual({ figure: 2, lines: 2, err: '', named: [] });
  });

  test('also if the name of a folder has spaces and quotes', async () => {
    const folder = `${makeDataDir()}/it's; here {a,b}`;
    await promisify(execFile)('cp', ['-r', B(), folder]);
    const { figure, lines } = await compare(['--ledger', folder], {});
    expect([figure, lines]).toEqual([1, 1]);
  });
});
