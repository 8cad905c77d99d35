/**
 * Makes the share image of each language and the icons as screenshots, with the drawings and typefaces of the page.
 *
 *   node tools/drawings/make-share-image.ts
 *
 * The images are committed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { LANGUAGES, type Language } from '#contract/language.ts';
import { HEAD } from '#words/head.ts';
import { findChromium } from '../find-chromium.ts';
import { readTokens } from '../read-tokens.ts';
import { loadModules } from './draw-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = `${root}public/`;
const executablePath = findChromium();

type ShareImage = (words: { headline: string }) => ReactElement;
const [{ ShareImage }, { BrandMark }] = await loadModules<
  [{ ShareImage: ShareImage }, { BrandMark: () => ReactElement }]
>(root, ['/illustrations/share-image.tsx', '/components/brand-mark.tsx']);
const icon = renderToStaticMarkup(createElement(BrandMark)).replace(
  '<svg ',
  '<svg xmlns="http://www.w3.org/2000/svg" ',
);
mkdirSync(`${out}og`, { recursive: true });
writeFileSync(`${out}favicon.svg`, `${icon.replace(' aria-hidden="true"', '')}\n`);

const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox'],
});
for (const language of LANGUAGES) {
  const file = language === 'en' ? 'og/share.png' : `og/share-${language}.png`;
  await photograph(file, 1200, 630, shareDocument(language));
}
for (const [file, size] of [
  ['favicon.png', 48],
  ['apple-touch-icon.png', 180],
  ['icon-192.png', 192],
  ['icon-512.png', 512],
] as const) {
  // The background fills the whole square without an edge, because systems round the corners themselves.
  await photograph(
    file,
    size,
    size,
    `<style>body{margin:0}svg{display:block}</style>${icon.replace(/<rect[^>]*>/, '<rect width="32" height="32" fill="#4b1f52">')}`,
  );
}
await browser.close();

async function photograph(file: string, width: number, height: number, html: string) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: out + file });
  await page.close();
}

function shareDocument(language: Language): string {
  const font = readFileSync(`${root}renderer/fonts/newsreader-display.woff2`).toString('base64');
  const tokens = readTokens(root);
  return `<style>${tokens}
@font-face { font-family: Display; src: url(data:font/woff2;base64,${font}); }
body { margin: 0; background: var(--paper); color: var(--ink); overflow: hidden; }
.share { position: relative; width: 1200px; height: 630px; }
.share::before { content: ""; position: absolute; left: 72px; top: 72px; width: 20px; height: 72px; border-radius: 20px; background: var(--art-marigold); border: 3px solid; }
h1 { position: absolute; left: 72px; top: 184px; width: 380px; margin: 0; font: 480 84px/1.05 Display; letter-spacing: -.01em; }
svg { position: absolute; left: 492px; top: 14px; width: 696px; }
</style>${renderToStaticMarkup(createElement(ShareImage, HEAD[language]))}`;
}
