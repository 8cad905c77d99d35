/**
 * Functions that run inside a page, and measure what a visitor sees and reaches there. Use them as
 * `page.evaluate(({ texts }) => …, await pageLook(page))`.
 */
import type { Page } from '@playwright/test';
import { contrast as contrastOf } from './image-diff.ts';

export type PageLook = ReturnType<typeof makeLook>;
type Rgba = [number, number, number, number];

export const pageLook = (page: Page) =>
  page.evaluateHandle<PageLook>(`(${makeLook})(${contrastOf})`);

/**
 * Makes the functions that measure a page. It runs inside the page, so that it can use nothing from
 * outside of itself.
 */
function makeLook(contrast: typeof contrastOf) {
  const TABBABLE =
    'a[href], button, input, select, textarea, summary, video[controls], iframe, [tabindex]:not([tabindex="-1"])';

  const isShown = (element: Element): boolean => {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1;
  };

  /** Whether an element is hidden from sight, and only screen readers read it. */
  const isSpokenOnly = (element: Element): boolean =>
    getComputedStyle(element).clipPath === 'inset(50%)';

  /** False for a radio button of whose group another one is the Tab stop. */
  const isOwnStop = (element: HTMLElement): boolean => {
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
    const group = [...document.getElementsByName(element.name)] as HTMLInputElement[];
    return element === (group.find((radio) => radio.checked) ?? group[0]);
  };

  /** Returns all Tab stops, in document order. */
  const controls = (): HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>(TABBABLE)].filter(
      (element) =>
        element.tabIndex >= 0 &&
        isShown(element) &&
        !element.matches(':disabled') &&
        isOwnStop(element),
    );

  const labelOf = (element: Element): string => {
    const text = element.textContent?.replace(/\s+/g, ' ').trim();
    return text || element.getAttribute('aria-label') || element.id || element.tagName;
  };

  /** Parses a computed colour. @throws if it is not in the form `rgb()` or `rgba()` */
  const parse = (color: string): Rgba => {
    const [r = 0, g = 0, b = 0, a = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    if (!/^rgba?\(/.test(color)) throw new Error(`No rgb() colour: ${color}`);
    return [r, g, b, a];
  };

  /** Returns the background colour behind an element: that of the nearest ancestor with one. */
  const backgroundOf = (element: Element | null): Rgba => {
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color[3] > 0) return color;
    }
    return [255, 255, 255, 1];
  };

  /** Returns all visible texts, each with the rectangles of its lines. */
  const texts = () => {
    const found: { text: string; element: HTMLElement; lines: DOMRect[] }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.replace(/\s+/g, ' ').trim();
      if (!text || !element || element.matches('script, style') || !isShown(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter((line) => line.width > 0 && line.height > 0);
      found.push({ text, element, lines });
    }
    return found;
  };

  return { controls, texts, isShown, isSpokenOnly, labelOf, parse, backgroundOf, contrast };
}
