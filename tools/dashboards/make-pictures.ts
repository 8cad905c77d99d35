/** Draws the pictures of docs/growth.md from `dashboards/`: `node tools/dashboards/make-pictures.ts`. */
import { writeFileSync } from 'node:fs';
import { PICTURES } from './pictures.ts';

for (const [path, draw] of Object.entries(PICTURES)) writeFileSync(path, draw());
