import { readFile, stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HELP, HELP_FIGURES } from '#words/help.ts';
import { drawFiles } from '../../../tools/drawings/draw-files.ts';

test('the committed drawings are equal to those of the components, and small', async () => {
  const files = await drawFiles(process.cwd());
  const light: string[] = [];
  for (const [path, svg] of files) {
    expect(
      await readFile(path, 'utf8'),
      `${path}: run node tools/drawings/make-illustrations.ts`,
    ).toBe(svg);
    if (path.endsWith('-light.svg')) light.push(svg);
  }
  expect(gzipSync(light.join('')).length).toBeLessThanOrEqual(14_000);
});

// A drawing is as wide as its place, so a wider viewBox or a scaled part would change the weight of its lines.
test('the lines of all drawings on the help pages are equally heavy', async () => {
  const files = await drawFiles(process.cwd());
  const shown = [...HELP.easy.en.blocks, ...Object.values(HELP_FIGURES.en)];
  const names = new Set(shown.map(({ drawing }) => drawing));
  expect(names.size).toBeGreaterThan(10);
  for (const name of names) {
    const svg = files.get(`illustrations/files/${name}-light.svg`);
    expect(svg, name).toMatch(/^<svg [^>]*stroke-width="2.25"[^>]*viewBox="0 0 260 /);
    expect(svg, name).not.toContain('scale(');
  }
});

test('both typefaces together stay below 28 kB', async () => {
  const sizes = ['newsreader-display', 'atkinson-text'].map(
    async (name) => (await stat(`renderer/fonts/${name}.woff2`)).size,
  );
  const [display = 0, text = 0] = await Promise.all(sizes);
  expect(display + text).toBeLessThanOrEqual(28 * 1024);
});
