import { readFile, stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
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

test('both typefaces together stay below 28 kB', async () => {
  const sizes = ['newsreader-display', 'atkinson-text'].map(
    async (name) => (await stat(`renderer/fonts/${name}.woff2`)).size,
  );
  const [display = 0, text = 0] = await Promise.all(sizes);
  expect(display + text).toBeLessThanOrEqual(28 * 1024);
});
