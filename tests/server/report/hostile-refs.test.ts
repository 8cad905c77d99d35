import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FigureRow } from '../../../server/report/print-rows.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { runCli } from '../../helpers/server/run-cli.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

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

let dataDir = '';
let refRows: (FigureRow & { command: string })[] = [];
const report = (format: string) =>
  runCli('clicks.ts', ['report', '--format', format, '--top', '100'], { DATA_DIR: dataDir });

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hostile-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

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
