/**
 * Makes subsets of the page's two typefaces, and fallback fonts of the same size.
 *
 *   node tools/fonts/subset-fonts.ts
 *
 * Writes renderer/fonts/*.woff2, web.css and fallbacks.css. They are committed, so that a build does not need this script
 * and its dependencies. Run it again when a typeface, a weight or the alphabet below changes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';
import { type FontMetrics, readMetrics } from './font-metrics.ts';

const OUT = new URL('../../renderer/fonts/', import.meta.url);
const PACKAGES = new URL('../../node_modules/@fontsource-variable/', import.meta.url);

const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));
const spanish = 'áéíóúüñÁÉÍÓÚÜÑ¿¡';
const latin1 = String.fromCharCode(...Array.from({ length: 64 }, (_, i) => 192 + i));
const punctuation = '\u00a0©·–—‘’“”…';

/**
 * Ratio of a line's real length to the length from average letters, found by experiment. With 0.99, lines break alike at
 * more of 33 common widths than with 0.98 or 1. docs/decisions/005-libraries.md has the figures.
 */
const LINE_FIT = 0.99;

const REGULAR = 400;
const BOLD = 700;

/**
 * Fonts of the same width that visitors may have. Each local name is a full or PostScript name, because `local()` does not
 * match family names. The width is the average advance of a letter in em, as tools/fonts/measure-fonts.ts prints it.
 */
interface Fonts {
  local: string[];
  width: number;
}

interface Face {
  family: string;
  file: string;
  source: string;
  axes: Record<string, number | { min: number; max: number }>;
  weight: string;
  text: string;
  fallbacks: (Fonts & { name: string; bold?: Fonts })[];
}

const faces: Face[] = [
  {
    family: 'Newsreader',
    file: 'newsreader-display.woff2',
    source: 'newsreader/files/newsreader-latin-opsz-normal.woff2',
    // One optical size and one weight, because it sets only headings and quotes, and each axis costs 9 kB.
    axes: { opsz: 40, wght: 480 },
    weight: '480',
    text: ascii + punctuation + spanish,
    // Measured with free fonts of the same widths: Gelasio for Georgia, Liberation Serif for Times New Roman.
    fallbacks: [
      { name: 'Display A', local: ['Georgia', 'Gelasio Regular'], width: 0.4458 },
      {
        name: 'Display B',
        local: ['Times New Roman', 'Liberation Serif', 'Tinos', 'Nimbus Roman'],
        width: 0.4063,
      },
      { name: 'Display C', local: ['Noto Serif', 'NotoSerif-Regular'], width: 0.481 },
      { name: 'Display D', local: ['DejaVu Serif'], width: 0.5166 },
    ],
  },
  {
    family: 'Atkinson Hyperlegible Next',
    file: 'atkinson-text.woff2',
    source: 'atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
    axes: { wght: { min: 400, max: 700 } },
    weight: '400 700',
    // This typeface sets names of people and places, so it keeps accented letters.
    text: ascii + punctuation + latin1 + spanish,
    // Liberation Sans replaces Arial in the measurement. A variable Roboto or Noto Sans has its bold under the regular name.
    fallbacks: [
      {
        name: 'Text A',
        local: ['Arial', 'Liberation Sans', 'Arimo Regular', 'Nimbus Sans'],
        width: 0.4458,
        bold: {
          local: ['Arial Bold', 'Liberation Sans Bold', 'Arimo Bold', 'Nimbus Sans Bold'],
          width: 0.48,
        },
      },
      {
        name: 'Text B',
        local: ['Roboto', 'Roboto-Regular'],
        width: 0.4448,
        bold: { local: ['Roboto Bold', 'Roboto-Regular'], width: 0.4526 },
      },
      {
        name: 'Text C',
        local: ['NotoSans-Regular', 'Open Sans Regular'],
        width: 0.474,
        bold: { local: ['Noto Sans Bold', 'Open Sans Bold'], width: 0.504 },
      },
      {
        name: 'Text D',
        local: ['DejaVu Sans'],
        width: 0.5083,
        bold: { local: ['DejaVu Sans Bold'], width: 0.5742 },
      },
    ],
  },
];

const MADE_BY =
  '/* Made by tools/fonts/subset-fonts.ts; change it there. Licences: LICENSE.md beside this file. */';

const rules = { web: [] as string[], fallbacks: [] as string[] };
for (const face of faces) {
  const woff2 = await subset(face, 'woff2');
  writeFileSync(new URL(face.file, OUT), woff2);
  rules.web.push(faceRule(face));
  for (const { name, bold, ...regular } of face.fallbacks) {
    rules.fallbacks.push(fallbackRule(name, regular, await measure(face, REGULAR), REGULAR));
    if (!bold) continue;
    rules.fallbacks.push(fallbackRule(name, bold, await measure(face, BOLD), BOLD));
  }
  process.stdout.write(`${face.file} ${woff2.length} bytes\n`);
}
for (const [name, faces] of Object.entries(rules)) {
  writeFileSync(new URL(`${name}.css`, OUT), `${MADE_BY}\n${faces.join('\n')}\n`);
}

/** @param weight the one weight to keep of a variable font */
function subset(face: Face, targetFormat: 'woff2' | 'sfnt', weight?: number): Promise<Buffer> {
  const axes = typeof face.axes.wght === 'number' || !weight ? {} : { wght: weight };
  return subsetFont(readFileSync(new URL(face.source, PACKAGES)), face.text, {
    keepFeatures: ['kern'],
    noHinting: true,
    variationAxes: { ...face.axes, ...axes },
    targetFormat,
  });
}

async function measure(face: Face, weight: number): Promise<FontMetrics> {
  return readMetrics(await subset(face, 'sfnt', weight));
}

/** `swap`, because no visitor downloads a typeface in vain, and the fallbacks have the same metrics. */
function faceRule(face: Face): string {
  return `@font-face {
  font-family: "${face.family}";
  src: url("./${face.file}") format("woff2");
  font-weight: ${face.weight};
  font-display: swap;
}`;
}

/** Scales the visitor's own font so that its lines have the length and height of ours. */
function fallbackRule(name: string, fonts: Fonts, ours: FontMetrics, weight: number): string {
  const scale = (ours.width / fonts.width) * LINE_FIT;
  const percent = (value: number) => `${(value * 100).toFixed(2)}%`;
  return `@font-face {
  font-family: "${name}";
  src: ${fonts.local.map((name) => `local("${name}")`).join(', ')};${
    weight === REGULAR ? '' : `\n  font-weight: ${weight};`
  }
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(ours.ascent / scale)};
  descent-override: ${percent(ours.descent / scale)};
  line-gap-override: ${percent(ours.lineGap / scale)};
}`;
}
