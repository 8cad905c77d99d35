/**
 * Prints the average width of the letters of font files (TrueType or OpenType), for tools/fonts/subset-fonts.ts.
 *
 *   node tools/fonts/measure-fonts.ts /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf …
 *
 * The fonts are in Debian's packages fonts-dejavu-core, fonts-liberation, fonts-noto-core and fonts-roboto-unhinted. Gelasio is
 * on npm as @fontsource/gelasio.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readMetrics } from './font-metrics.ts';

for (const file of process.argv.slice(2)) {
  const { width } = await readMetrics(readFileSync(file));
  process.stdout.write(`${basename(file)} ${width.toFixed(4)} em\n`);
}
