import { globSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HELP } from '#words/help.ts';

const read = (path: string) => readFileSync(path, 'utf8');

test('all drawings together are small', () => {
  const light = globSync('components/drawings/files/*-light.svg').sort().map(read);
  expect(light.length).toBeGreaterThan(10);
  expect(
    gzipSync([...light, read('components/drawings/lost.svg')].join('')).length,
  ).toBeLessThanOrEqual(14_000);
});

// A drawing is as wide as its place, so a wider viewBox or a scaled part would change the weight of its lines.
test('the lines of all drawings on the help pages are equally heavy', () => {
  const shown = Object.values(HELP).flatMap(({ en }) => [en, ...en.sections]);
  const names = new Set(shown.flatMap(({ drawing }) => drawing?.name ?? []));
  expect(names.size).toBeGreaterThan(10);
  for (const name of names) {
    const svg = read(`components/drawings/files/${name}-light.svg`);
    expect(svg, name).toMatch(/^<svg [^>]*stroke-width="2.25"[^>]*viewBox="0 0 260 /);
    expect(svg, name).not.toContain('scale(');
  }
});

test('both typefaces together stay below 28 kB', () => {
  const [display = 0, text = 0] = ['newsreader-display', 'atkinson-text'].map(
    (name) => statSync(`renderer/fonts/${name}.woff2`).size,
  );
  expect(display + text).toBeLessThanOrEqual(28 * 1024);
});
