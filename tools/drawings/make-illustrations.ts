/**
 * Draws the illustrations of illustrations/illustrations.tsx into illustrations/files/*.svg: for each one file for the light scheme and one for the
 * dark, because a drawing that is loaded as an image cannot see the page's variables. Also the film's poster.
 *
 *   node tools/drawings/make-illustrations.ts
 *
 * The files are committed; tests/tools/drawings/illustrations.test.ts fails when they are older than the drawings.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawFiles } from './draw-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = await drawFiles(root);
for (const [path, svg] of files) writeFileSync(root + path, svg);
process.stdout.write(`${files.size} drawings\n`);
