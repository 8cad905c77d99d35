/** Finds text that a layout cuts, hides or draws over other text. An empty list means no fault. */
import type { Page } from '@playwright/test';
import { pageLook } from './page-look.ts';
import { nothingMoves } from './page-waits.ts';

/** Applies the text spacing that WCAG 1.4.12 allows a visitor to set. */
export async function widenSpacing(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
      p { margin-bottom: 2em !important }
    `);
    document.adoptedStyleSheets.push(sheet);
  });
  await nothingMoves(page);
}

/**
 * Finds text that is outside of the view, cut, or over other text; a page that scrolls sideways;
 * and fixed or sticky elements with more than a quarter of the view's height.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ texts, isShown, isSpokenOnly }) => {
      const { scrollWidth } = document.documentElement;
      const faults = scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide`] : [];
      const shown = texts().filter(
        ({ element }) => !element.closest('[role=status], [data-skip], [data-trap]'),
      );
      // Boxes of adjacent lines may overlap by an eighth of the font size: the letters do not
      // touch.
      const barelyPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 8;
      const overlaps = (one: DOMRect, other: DOMRect) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > barelyPx &&
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > barelyPx;
      for (const [i, { text, lines }] of shown.entries()) {
        if (lines.some(({ left, right }) => left < 0 || right > innerWidth + 0.5)) {
          faults.push(`outside the view: "${text}"`);
        }
        const over = shown
          .slice(i + 1)
          .filter((other) => other.lines.some((line) => lines.some((own) => overlaps(own, line))));
        faults.push(...over.map((other) => `overlapping: "${text}" | "${other.text}"`));
      }
      const isFixed = (element: Element) =>
        ['fixed', 'sticky'].includes(getComputedStyle(element).position) && isShown(element);
      const fixed = [...document.querySelectorAll('body *')].filter(isFixed);
      const height = fixed.reduce((sum, each) => sum + each.getBoundingClientRect().height, 0);
      if (height > innerHeight / 4) faults.push(`fixed parts take ${height} px`);
      const hides = (overflow: string) => ['hidden', 'clip'].includes(overflow);
      for (const element of document.querySelectorAll<HTMLElement>('body *')) {
        if (!element.textContent || element.closest('[role=status], [data-trap]')) continue;
        // A drawing may be clipped before it moves into its place.
        if (element.querySelector('img[data-reveal=waiting]')) continue;
        if (isSpokenOnly(element)) continue;
        const { overflowX, overflowY } = getComputedStyle(element);
        const isCut =
          (hides(overflowY) && element.scrollHeight > element.clientHeight + 1) ||
          (hides(overflowX) && element.scrollWidth > element.clientWidth + 1);
        if (isCut) faults.push(`cut: ${element.tagName}.${element.className}`);
      }
      return faults;
    },
    await pageLook(page),
  );
}

/**
 * Scales all sizes in rem, as the browser's setting for the font size does. @param scale 2 doubles
 * them
 */
export async function enlargeText(page: Page, scale: number): Promise<void> {
  await page.evaluate((times) => {
    const { fontSize } = getComputedStyle(document.documentElement);
    document.documentElement.style.fontSize = `${Number.parseFloat(fontSize) * times}px`;
  }, scale);
  await nothingMoves(page);
}

/**
 * Makes every text of the page longer, as a translation would, by repeating its beginning.
 *
 * @param share 0.45 adds 45 %
 */
export async function lengthenTexts(page: Page, share: number): Promise<void> {
  await page.evaluate((more) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      if (!text.trim() || node.parentElement?.matches('script, style')) continue;
      node.textContent = `${text} ${text.slice(0, Math.ceil(text.length * more))}`;
    }
  }, share);
  await nothingMoves(page);
}

/** Returns the texts of main and footer that a reader does not see, or sees only faintly. */
export async function unseenWords(page: Page): Promise<(string | null)[]> {
  return page.evaluate(
    ({ texts, isShown, isSpokenOnly }) => {
      const seen = new Set(texts().map(({ element }) => element));
      const home = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
      const isFaint = (element: Element | null): boolean =>
        element !== null &&
        (getComputedStyle(element).opacity !== '1' || isFaint(element.parentElement));
      const notForReading = 'svg, [role=status], [data-trap], script, style, button[hidden]';
      return (
        [...document.querySelectorAll<HTMLElement>('main *, footer *')]
          .filter(({ childElementCount, textContent }) => childElementCount === 0 && textContent)
          .filter((element) => !element.closest(notForReading) && !isSpokenOnly(element))
          // Addresses of this site's pages are printed, and not shown on a screen.
          .filter(({ textContent }) => !home || !textContent?.startsWith(home))
          .filter((element) => !seen.has(element) || !isShown(element) || isFaint(element))
          .map(({ textContent }) => textContent)
      );
    },
    await pageLook(page),
  );
}
