/** The report, where strangers have sent refs against shells, terminals and spreadsheets. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readJsonOptions } from '../../../cli/json-options.ts';
import { LINES_OPTIONS, lines } from '../../../cli/lines.ts';
import type { FigureRow } from '../../../server/report/print-rows.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { runCli } from '../../helpers/server/run-cli.ts';
import { makeBody, makeDataDir, startApp } from '../../helpers/server/server-app.ts';
import { shellWords } from '../../helpers/server/shell-words.ts';
import { spawnInTerminal, testInTerminal } from '../../helpers/server/terminal.ts';

const REFS = [
  ...["\u0001'; touch PWNED; #", "\u202e'; touch PWNED; '", '\u0085`touch PWNED`'],
  ...['$(touch PWNED)', '`touch PWNED`', '"; touch PWNED; "', "\\'; touch PWNED #", '|touch PWNED'],
  ...["$'\\x27; touch PWNED'", '&touch PWNED', '>PWNED', "a\n'; touch PWNED", "é'; touch PWNED"],
  ...['--ref', '--', '-', '-x y', "-'; touch PWNED", '--robots', '-\u0001', '--ref-json', '"a"'],
  ...['{a,b}', '[clp]*', '*', '~', '=ls', '!!', 'a b', 'a\\', "it's", '%s%n', '＋1', '\r', '\t=1'],
  ...[
    '\u009b31mred',
    '\u2028',
    '\ufeff=1+1',
    '=1+1',
    ' @x',
    'x\u200by',
    '\u{e0041}tag',
    'Zürich 🏥',
  ],
];
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const NAMES = new Set(Object.keys(LINES_OPTIONS));

let dataDir = '';
let refRows: (FigureRow & { command: string })[] = [];
const report = (format: string) =>
  runCli('clicks.ts', ['report', '--format', format, '--top', '100'], { DATA_DIR: dataDir });

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hostile-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** The refs of the lines that a command prints. */
async function refsOf(words: string[]): Promise<string[]> {
  const { values } = parseArgs({ args: readJsonOptions(words, NAMES), options: LINES_OPTIONS });
  const found: string[] = [];
  await lines([dataDir], values, (line) => void found.push(JSON.parse(String(line)).referrer));
  return found;
}

test('the server takes each of the refs, and the report counts it', async () => {
  const site = await startApp({ dataDir });
  for (const referrer of REFS) await postClick(site, makeBody({ referrer }));
  await site.close();
  const { out } = await report('jsonl');
  refRows = out
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text))
    .filter((row) => row.table === 'ref' && row.kind === 'value' && row.measure === 'Clicks');
  expect(refRows.map(({ label }) => label).sort()).toEqual([...REFS].sort());
});

describe('a ref’s command', () => {
  test.each(['dash', 'bash'])(
    'stays in its arguments in %s, and prints exactly its lines',
    async (shell) => {
      const cwd = makeDataDir();
      const commands = refRows.map(({ command }) => command);
      const words = shellWords(shell, commands, cwd);
      expect(readdirSync(cwd)).toEqual([]);
      expect(words).toHaveLength(REFS.length);
      for (const [i, { label }] of refRows.entries())
        expect([label, await refsOf(words[i] ?? [])]).toEqual([label, [label]]);
    },
  );

  test.each(['dash', 'bash'])('also behind npm in %s', async (shell) => {
    const worst = ["\u0001'; touch PWNED; #", '{a,b}', "-'; touch PWNED"];
    for (const { label, command } of refRows.filter(({ label }) => worst.includes(label))) {
      const env = { ...process.env, DATA_DIR: dataDir, npm_config_script_shell: shell };
      const { stdout } = await promisify(execFile)(shell, ['-c', command], { env });
      expect([label, JSON.parse(stdout).referrer]).toEqual([label, label]);
    }
    expect(existsSync('PWNED')).toBe(false);
  });

  test('has no control characters', () => {
    expect(refRows.filter(({ command }) => UNPRINTABLE.test(command))).toEqual([]);
  });
});

describe('files for people', () => {
  test.each(['csv', 'text', 'html'])('%s has no control characters', async (format) => {
    const { out } = await report(format);
    expect(out.replaceAll(/\r?\n/g, '').match(UNPRINTABLE)?.[0].codePointAt(0)).toBeUndefined();
    expect(out).toContain('Zürich 🏥');
  });

  test('no cell of the CSV file is a formula, and the command beside it has the exact ref', async () => {
    const { out } = await report('csv');
    const cells = out.split('\r\n').filter((row) => row.startsWith('ref,'));
    const labels = cells.map((row) => /^ref,("(?:[^"]|"")*"|[^,]*),/.exec(row)?.[1] ?? '');
    expect(labels.filter((label) => /^"?[\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(label))).toEqual([]);
    expect(labels).toEqual(expect.arrayContaining(["'=1+1", "'＋1", "' @x", '\ufffd=1+1']));
    expect(out).toContain(`--ref-json '""\\ufeff=1+1""'`);
  });

  test('the drawing has one bar for each ref, also where two look the same', async () => {
    const { out } = await report('html');
    const drawing = /<section aria-labelledby="ref">[\s\S]*?<\/svg>/.exec(out)?.[0] ?? '';
    const places = [...drawing.matchAll(/<rect [^>]*\by="([\d.]+)"/g)].map(([, y]) => y);
    expect(new Set(places).size).toBe(REFS.length);
  });
});

describe('on a terminal', () => {
  /** Everything that the program writes to the terminal, as lines. */
  async function shown(args: string): Promise<string[]> {
    const child = spawnInTerminal(`'${process.execPath}' cli/clicks.ts ${args} 2>/dev/null`, {
      DATA_DIR: dataDir,
    });
    return (await Array.fromAsync(child.stdout)).join('').split(/\r+\n/).filter(Boolean);
  }

  for (const args of ['grep hero', 'lines', 'tail --json -n 99']) {
    testInTerminal(`${args} escapes control characters in JSON`, async () => {
      const lines = await shown(args);
      expect(lines.filter((line) => UNPRINTABLE.test(line))).toEqual([]);
      expect(lines.map((line) => JSON.parse(line).referrer)).toEqual(REFS);
    });
  }

  for (const format of ['csv', 'jsonl', 'text'])
    testInTerminal(`report --format ${format} has no control characters`, async () => {
      const lines = await shown(`report --format ${format}`);
      expect(lines.length).toBeGreaterThan(30);
      expect(lines.filter((line) => UNPRINTABLE.test(line))).toEqual([]);
    });

  test('a file gets the ledger’s lines unchanged', async () => {
    const ledger = readFileSync(join(dataDir, 'clicks.jsonl'), 'utf8');
    expect((await runCli('clicks.ts', ['lines'], { DATA_DIR: dataDir })).out).toBe(ledger);
  });
});
