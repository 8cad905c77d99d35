/**
 * Makes the two typefaces of the page small enough for one round trip, and fallbacks that take the same room.
 *
 *   node build/subset-fonts.ts
 *
 * Writes renderer/fonts/*.woff2, web.css and fallbacks.css there; all are committed, so that a build needs neither
 * this script nor its dependencies. Run it again when a typeface, a weight or the alphabet below changes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';
import { averageWidth, readMetrics } from './font-metrics.ts';

const OUT = new URL('../renderer/fonts/', import.meta.url);
const PACKAGES = new URL('../node_modules/@fontsource-variable/', import.meta.url);

const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));
const latin1 = String.fromCharCode(...Array.from({ length: 64 }, (_, i) => 192 + i));
const punctuation = '\u00a0©·–—‘’“”…';

/**
 * A platform's own face and its average letter, in em: chosen so that the page's words break into the same lines at
 * the common widths before and after ours has come.
 */
interface Fallback {
  name: string;
  local: string[];
  averageWidth: number;
}

const faces = [
  {
    family: 'Newsreader',
    file: 'newsreader-display.woff2',
    source: 'newsreader/files/newsreader-latin-opsz-normal.woff2',
    // One optical size and one weight: headings and quotes are all it sets, and each axis costs 9 kB.
    axes: { opsz: 40, wght: 480 },
    weight: '480',
    text: ascii + punctuation,
    fallbacks: [
      { name: 'Display A', local: ['Georgia'], averageWidth: 0.448 },
      { name: 'Display B', local: ['Times New Roman', 'Liberation Serif'], averageWidth: 0.4022 },
      { name: 'Display C', local: ['Noto Serif'], averageWidth: 0.48 },
    ],
  },
  {
    family: 'Atkinson Hyperlegible Next',
    file: 'atkinson-text.woff2',
    source: 'atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
    axes: { wght: { min: 400, max: 700 } },
    weight: '400 700',
    // Names of people and places stand in this face: keep their accents.
    text: ascii + punctuation + latin1,
    fallbacks: [
      {
        name: 'Text A',
        local: ['Arial', 'Liberation Sans', 'Helvetica Neue'],
        averageWidth: 0.4448,
      },
      { name: 'Text B', local: ['Roboto'], averageWidth: 0.448 },
    ],
  },
];

const rules = { web: [] as string[], fallbacks: [] as string[] };
for (const face of faces) {
  const source = readFileSync(new URL(face.source, PACKAGES));
  const options = { keepFeatures: ['kern'], noHinting: true, variationAxes: face.axes };
  const woff2 = await subsetFont(source, face.text, { ...options, targetFormat: 'woff2' });
  const sfnt = await subsetFont(source, face.text, { ...options, targetFormat: 'sfnt' });
  writeFileSync(new URL(face.file, OUT), woff2);
  rules.web.push(faceRule(face));
  rules.fallbacks.push(...face.fallbacks.map((fallback) => fallbackRule(fallback, sfnt)));
  process.stdout.write(`${face.file} ${woff2.length} bytes\n`);
}
for (const [name, faces] of Object.entries(rules)) {
  writeFileSync(
    new URL(`${name}.css`, OUT),
    `/* Made by build/subset-fonts.ts; change it there. Licences: LICENSE.md beside this file. */\n${faces.join('\n')}\n`,
  );
}

function faceRule(face: { family: string; file: string; weight: string }): string {
  return `@font-face {
  font-family: "${face.family}";
  src: url("./${face.file}") format("woff2");
  font-weight: ${face.weight};
  font-display: swap;
}`;
}

/** The platform's own face, stretched until a line of it is as long and as high as a line of ours. */
function fallbackRule(fallback: Fallback, sfnt: Buffer): string {
  const ours = readMetrics(sfnt);
  const scale = averageWidth(sfnt) / fallback.averageWidth;
  const percent = (value: number) => `${(value * 100).toFixed(2)}%`;
  return `@font-face {
  font-family: "${fallback.name}";
  src: ${fallback.local.map((name) => `local("${name}")`).join(', ')};
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(ours.ascent / scale)};
  descent-override: ${percent(ours.descent / scale)};
  line-gap-override: ${percent(ours.lineGap / scale)};
}`;
}
