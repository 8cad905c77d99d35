import { whenIdle } from '#browser/when-idle.ts';
import { WEB_FONTS } from './fonts/web.ts';
import { swapFonts } from './swap-fonts.ts';

/**
 * Loads the web fonts and adds them together, because the browser lays out every text again for each of them. A font that
 * fails, or a layout shift that the fonts would cause, leaves the fallback fonts in use for this visit.
 */
export async function loadFonts(): Promise<void> {
  const loading = WEB_FONTS.map(({ family, weight, url }) =>
    new FontFace(family, `url(${url})`, { weight }).load(),
  );
  const settled = await Promise.allSettled(loading);
  const loaded = settled.flatMap((font) => (font.status === 'fulfilled' ? [font.value] : []));
  whenIdle(() => {
    // For the tests, and for developers who check which fonts are in use.
    document.documentElement.dataset.fonts = swapFonts(loaded) ? 'in' : 'out';
  });
}
