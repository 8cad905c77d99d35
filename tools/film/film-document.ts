import { readFileSync } from 'node:fs';
import { readTokens } from '../read-tokens.ts';

/** HTML document for the frames: the site's colours and display typeface, and an empty SVG. */
export function filmDocument(root: string): string {
  const tokens = readTokens(root);
  const face = readFileSync(`${root}renderer/fonts/newsreader-display.woff2`).toString('base64');
  return `<!doctype html><meta charset="utf-8"><style>${tokens}
@font-face { font-family: Newsreader; font-weight: 480; src: url(data:font/woff2;base64,${face}); }
body { margin: 0; overflow: hidden; }
svg { display: block; fill: none; stroke: var(--ink); stroke-width: 2.25; stroke-linecap: round; stroke-linejoin: round; }
text { font-family: Newsreader; font-weight: 480; }
</style><main></main>`;
}
