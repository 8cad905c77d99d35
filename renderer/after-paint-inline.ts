/**
 * The inline script that lets in what waits for the first paint: the web fonts, and the page's module, which
 * build/finish.ts has put into a template. Loaded earlier, both would come between the visitor and the first words.
 */

import { SOON_MS, whenCalm } from '#browser/when-calm.ts';
import { swapFonts } from './swap-fonts.ts';

/** A browser that hides when it paints, as some do against fingerprinting, has painted by then. Milliseconds. */
const SURELY_PAINTED_MS = 3000;
/** So long the module lets a busy page go first. */
const IDLE_MS = 1000;
/** Between two tries to get the module. */
const RETRY_MS = 30_000;

const painted = new Promise<void>((resolve) => {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
  }).observe({ type: 'paint', buffered: true });
  setTimeout(resolve, SURELY_PAINTED_MS);
});

painted.then(letFontsIn);

/**
 * All fonts at once, and only when they have arrived: the browser lays every word out again when it hears of a font,
 * and again when that has come. Not while the visitor presses something. Where a font fails, or where the fonts would
 * move something in view, the words stay as they are for this visit.
 */
async function letFontsIn(): Promise<void> {
  const style = document.querySelector<HTMLStyleElement>('#web-fonts');
  const rules = Array.from((style?.sheet?.cssRules ?? []) as Iterable<CSSFontFaceRule>);
  const fonts = rules.map(({ style }) =>
    new FontFace(style.fontFamily.replaceAll('"', ''), style.getPropertyValue('src'), {
      weight: style.fontWeight,
    }).load(),
  );
  const settled = await Promise.allSettled(fonts);
  await whenCalm(SOON_MS);
  const loaded = settled.flatMap((font) => (font.status === 'fulfilled' ? [font.value] : []));
  const areIn = swapFonts(loaded);
  // For the tests, and for those who wonder which fonts they see.
  if (style) style.dataset.fonts = areIn ? 'in' : 'out';
}

/** The module looks for its parts in the document, so that must be there as a whole. */
const parsed = new Promise<unknown>((resolve) =>
  document.readyState === 'loading'
    ? addEventListener('DOMContentLoaded', resolve, { once: true })
    : resolve(null),
);

Promise.all([painted, parsed]).then(() => {
  const path = document.querySelector<HTMLElement>('template[data-module]')?.dataset.module;
  if (!path) return;
  // The rest of the page, and who is quick, come first. Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(() => load(path), { timeout: IDLE_MS });
  else load(path);
});

/** Again and again, for a click that was made offline waits for it. Meanwhile the page reads and counts without. */
function load(path: string): void {
  import(/* @vite-ignore */ path).catch(() => nextChance().then(() => load(path)));
}

function nextChance(): Promise<unknown> {
  return new Promise((resolve) => {
    addEventListener('online', resolve, { once: true });
    setTimeout(resolve, RETRY_MS);
  });
}
