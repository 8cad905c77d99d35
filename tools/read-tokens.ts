import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the style sheet of the page's colours, with those of the drawings. @param root the project's folder */
export const readTokens = (root: string): string =>
  ['tokens', 'drawing-colours']
    .map((name) => readFileSync(join(root, `renderer/css/${name}.css`), 'utf8'))
    .join('');
