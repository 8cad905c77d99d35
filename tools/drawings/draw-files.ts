import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createServer } from 'vite';
import { readTokens } from '../read-tokens.ts';

type Illustrations = Record<string, { ground: 'paper' | 'band'; Drawing: () => ReactElement }>;

/** @returns the path of each drawing, relative to the project's root, and its SVG text */
export async function drawFiles(root: string): Promise<Map<string, string>> {
  const palettes = readPalettes(readTokens(root));
  const [{ ILLUSTRATIONS }, { FilmPoster }] = await loadModules<
    [{ ILLUSTRATIONS: Illustrations }, { FilmPoster: () => ReactElement }]
  >(root, ['/illustrations/illustrations.tsx', '/illustrations/film-poster.tsx']);
  const files = new Map<string, string>();
  for (const [name, { ground, Drawing }] of Object.entries(ILLUSTRATIONS)) {
    for (const scheme of ['light', 'dark'] as const) {
      const palette = { ...palettes[scheme] };
      // The privacy band is dark in both schemes, so its lines are always light.
      if (ground === 'band') palette['--ink'] = palettes.dark['--ink'] ?? '';
      files.set(`illustrations/files/${name}-${scheme}.svg`, standalone(Drawing, palette));
    }
  }
  files.set('public/video/poster.svg', standalone(FilmPoster, palettes.light));
  files.set('public/video/poster-dark.svg', standalone(FilmPoster, palettes.dark));
  return files;
}

/** Loads the drawings through Vite, because Node does not run TSX. */
export async function loadModules<T>(root: string, paths: string[]): Promise<T> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  try {
    return (await Promise.all(paths.map((path) => server.ssrLoadModule(path)))) as T;
  } finally {
    await server.close();
  }
}

const DARK = /@media screen and \(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}\s*\}/g;

/** Reads the colours from the page's style sheet, their only source. */
function readPalettes(css: string) {
  const [light, dark] = [css.replace(DARK, ''), css.match(DARK)?.join('') ?? ''];
  const pick = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/(--(?:ink|paper|art-[\w-]+)):\s*(#\w+)/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
  return { light: pick(light), dark: { ...pick(light), ...pick(dark) } };
}

/** Makes a drawing independent of the page: variables become colours. */
function standalone(Drawing: () => ReactElement, palette: Record<string, string>): string {
  return renderToStaticMarkup(createElement(Drawing))
    .replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
    .replace(/ overflow="visible"| aria-hidden="true"/g, '')
    .replace(/var\((--[\w-]+)\)/g, (_, name: string) => palette[name] ?? 'none')
    .concat('\n');
}
