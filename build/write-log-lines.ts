/** `npm run docs:log-lines` */
import { writeFileSync } from 'node:fs';
import { logLineFiles } from './log-lines.ts';

for (const [path, text] of logLineFiles()) writeFileSync(path, text);
