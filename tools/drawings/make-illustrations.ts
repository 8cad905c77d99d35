/**
 * Writes illustrations/files/*.svg from the components in illustrations/illustrations.tsx. Each has one file for the light
 * scheme and one for the dark, because an image cannot use the page's CSS variables. Also writes the film's posters.
 *
 *   node tools/drawings/make-illustrations.ts
 *
 * The files are committed. tests/tools/drawings/illustrations.test.ts fails when they differ from the components.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawFiles } from './draw-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = await drawFiles(root);
for (const [path, svg] of files) writeFileSync(root + path, svg);
process.stdout.write(`${files.size} drawings\n`);
