/** Waits for a page's own progress: its module, its islands, its fonts, its paint. */
import type { Page } from '@playwright/test';

/** Resolves when the page's module has run. */
export async function started(page: Page): Promise<void> {
  await page.waitForFunction(
    () => !document.querySelector('script[type=module]') || window.ctaCapture?.onClick,
  );
}

/** Waits until the page has loaded, and every interactive part in view is awake. */
export async function settle(page: Page): Promise<void> {
  await awake(page);
  await page.waitForFunction(() => {
    const asleep = [...document.querySelectorAll('[data-island]:not([data-ready])')];
    const isInView = (part: Element) => {
      const { top, bottom } = part.getBoundingClientRect();
      return top < innerHeight && bottom > 0;
    };
    return document.readyState === 'complete' && !asleep.some(isInView);
  });
}

/** Waits until the page also makes no more requests, for tests of what it never does. */
export async function quiet(page: Page): Promise<void> {
  await settle(page);
  await page.waitForLoadState('networkidle');
}

/** Waits for less: the page may have a request that the test delays. */
export async function awake(page: Page): Promise<void> {
  await started(page);
  await page.mouse.move(3, 3);
  await page.mouse.move(5, 5);
  await lettered(page);
  await page.waitForFunction(
    () => document.querySelector('[data-island=toaster]:not([data-ready])') === null,
  );
}

/** Resolves once the words of a landing page are drawn in the web fonts, or in the fallbacks where these failed. */
export async function lettered(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.fonts]
      .filter(({ family }) => /Newsreader|Atkinson/.test(family))
      .every(({ status }) => status === 'loaded' || status === 'error'),
  );
}

type LayoutShift = PerformanceEntry & { value: number };

/** The sum of all layout shifts since the visit began. */
export const shifts = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, entry) => sum + (entry as LayoutShift).value, 0)),
        ).observe({ type: 'layout-shift', buffered: true });
        // An observer reports buffered entries at once. Without any, it never calls back.
        requestAnimationFrame(() => setTimeout(() => resolve(0)));
      }),
  );

/** The fonts in which an element's words are drawn: a web font by its family, a local one by its PostScript name. */
export async function drawnFonts(page: Page, selector: string): Promise<string[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const { root } = await cdp.send('DOM.getDocument');
  const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId });
  await cdp.detach();
  return fonts.map((font) => (font.isCustomFont ? font.familyName : font.postScriptName));
}

/** Waits for the first paint. Returns its time in milliseconds since the visit began. */
export const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const [paint] = list.getEntriesByName('first-contentful-paint');
          if (paint) resolve(paint.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
