import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modulesOfPng, modulesOfSvg } from '../../helpers/server/qr-modules.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { makeDataDir, startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

/** @param env of the server, which only names need */
async function link(args: string[], env = {}) {
  const to = join(makeDataDir(), 'links');
  const run = await runSite(['link', ...args, '--to', to, '--build', makeDist()], env);
  return { ...run, to };
}

test('prints the address first, and writes the QR code as SVG and PNG', async () => {
  const { out, err, code, to } = await link(['--ref', 'Clinic-7']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.split('\n')[0]).toBe('https://site.example/r/Clinic-7');
  expect(readdirSync(to)).toEqual(['link-Clinic-7.png', 'link-Clinic-7.svg']);
  const [svg, png] = out.split('\n').slice(1);
  expect([svg, png]).toEqual([join(to, 'link-Clinic-7.svg'), join(to, 'link-Clinic-7.png')]);
  const shown = modulesOfPng(readFileSync(png ?? ''));
  expect(shown).toMatchObject({ width: 1000, height: 1000 });
  expect(modulesOfSvg(readFileSync(svg ?? '', 'utf8')).join('')).toContain(shown.modules[0]);
});

test('the files of a Spanish link have its language in their names', async () => {
  const { out, to } = await link(['--ref', 'clinic-7', '--language', 'es']);
  expect(out.split('\n')[0]).toBe('https://site.example/es/r/clinic-7');
  expect(readdirSync(to)).toEqual(['link-clinic-7.es.png', 'link-clinic-7.es.svg']);
});

test('keeps the name of a clinic for the report while the server runs', async () => {
  const { config, rows } = await startApp();
  const env = { DATA_DIR: config.dataDir };
  await link(['--ref', 'b-2', '--name', 'Old name'], env);
  await link(['--ref', 'b-2', '--name', 'Bay & Sons'], env);
  await link(['--ref', 'a-1', '--name', 'Zoe’s clinic'], env);
  await link(['--ref', 'no-name'], env);
  const taken = await link(['--ref', 'A-1', '--name', 'Another clinic'], env);
  expect([taken.code, taken.err]).toEqual([
    1,
    'a-1 is the code of “Zoe’s clinic”. Choose another one.\n',
  ]);
  expect(await rows('SELECT ref, name FROM links ORDER BY ref')).toEqual([
    { ref: 'a-1', name: 'Zoe’s clinic' },
    { ref: 'b-2', name: 'Bay & Sons' },
  ]);
});

test('refuses a wrong option with a sentence, and makes no file', async () => {
  const env = { DATA_DIR: makeDataDir() };
  const cases: [args: string[], sentence: RegExp][] = [
    [['--ref', '../../evil'], /It must be 1 to 64 letters, digits/],
    [['--ref', 'a', '--name', ' '], /It must be 1 to 80 visible characters/],
    [['--ref', 'a', '--language', 'fr'], /Allowed choices are en, es/],
    [['--name', 'Bay'], /required option '--ref <code>' not specified/],
    [['--ref', 'a', '--name', 'Bay'], /^There is no database at \S+site\.db\. Start the server/],
  ];
  for (const [args, sentence] of cases) {
    const { err, code, to } = await link(args, env);
    expect([code, err]).toEqual([1, expect.stringMatching(sentence)]);
    expect(existsSync(to)).toBe(false);
  }
});
