/**
 * Functions that wait until a page has loaded its module, islands or fonts, or has come to rest.
 * None waits for a fixed time.
 */
import type { Locator, Page } from '@playwright/test';

/**
 * Waits until the page's module has run. It then has replaced the stub's function `onClick`, which
 * sends beacons.
 */
export async function moduleRan(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !document.querySelector('script[type=module]') ||
      (window.ctaStub && !String(window.ctaStub.onClick).includes('via=beacon')),
  );
}

/** Waits until the page has loaded, and every part in view that script completes is complete. */
export async function islandsInViewReady(page: Page): Promise<void> {
  await moduleRan(page);
  await page.mouse.move(3, 3);
  await page.mouse.move(5, 5);
  await fontsLoaded(page);
  await page.waitForFunction(() => {
    const asleep = [
      ...document.querySelectorAll(':is([data-island], #opt-out, [data-stats]):not([data-ready])'),
    ];
    const isInView = (part: Element) => {
      const { top, bottom } = part.getBoundingClientRect();
      return part.matches('[data-stats]') || (top < innerHeight && bottom > 0);
    };
    return document.readyState === 'complete' && !asleep.some(isInView);
  });
}

/**
 * Waits as `islandsInViewReady` does, and until the page sends no more requests: for tests of what
 * it never does, and before the server or the network goes away.
 */
export async function noMoreRequests(page: Page): Promise<void> {
  await islandsInViewReady(page);
  await page.waitForLoadState('networkidle');
}

/** Waits until the page's web fonts have loaded, or failed to load. */
export async function fontsLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.fonts]
      .filter(({ family }) => /Newsreader|Atkinson/.test(family))
      .every(({ status }) => status === 'loaded' || status === 'error'),
  );
}

type LayoutShift = PerformanceEntry & { value: number };

/** Returns the sum of all layout shifts since the page was opened. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, entry) => sum + (entry as LayoutShift).value, 0)),
        ).observe({ type: 'layout-shift', buffered: true });
        // The observer reports buffered entries at once. If there are none, it never calls back.
        requestAnimationFrame(() => setTimeout(() => resolve(0)));
      }),
  );

/**
 * Returns the fonts in which an element's text is drawn: a web font by its family, a local font by
 * its PostScript name.
 */
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

/** Waits for the First Contentful Paint. */
export async function firstPaint(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
}

/**
 * Returns a function that, inside the page, resolves at the next frame. On a busy machine Chromium
 * sometimes draws no frame before another event, so that 100 ms also count as a frame.
 */
const nextFrame = (page: Page) =>
  page.evaluateHandle(
    () => () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => resolve());
        setTimeout(resolve, 100); // In case that no frame is drawn.
      }),
  );

/**
 * Waits until nothing moves: the scroll position is the same for three frames, and no animation is
 * running. Scroll-driven animations do not count, because they run for ever.
 */
export async function nothingMoves(page: Page): Promise<void> {
  await page.evaluate(
    async (frame) => {
      const FRAMES = 3;
      for (let still = 0, last = -1; still < FRAMES; ) {
        await frame();
        const runs = document
          .getAnimations()
          .some(
            ({ playState, timeline }) => playState === 'running' && timeline === document.timeline,
          );
        still = runs || scrollY !== last ? 0 : still + 1;
        last = scrollY;
      }
    },
    await nextFrame(page),
  );
}

/** Scrolls from the top to the end in steps of almost one screen, as a reader does. */
export async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(
    async (frame) => {
      const { scrollHeight, clientHeight } = document.documentElement;
      for (let top = 0; top < scrollHeight; top += clientHeight * 0.9) {
        scrollTo({ top, behavior: 'instant' });
        // The first frame may begin before the page's observers are called for this position.
        await frame();
        await frame();
      }
    },
    await nextFrame(page),
  );
}

/** Scrolls until an element is below the view, at most one screen away. */
export const comeNear = (element: Locator): Promise<void> =>
  element.evaluate((node) => {
    const { top } = node.getBoundingClientRect();
    scrollBy({ top: top - 1.5 * innerHeight, behavior: 'instant' });
  });

/**
 * Causes all deferred work of a page and waits for it: the switch is there, all islands are
 * hydrated, and all elements have moved in. Leaves the page at its top.
 */
export async function allAwake(page: Page): Promise<void> {
  await moduleRan(page);
  await page.mouse.move(3, 3);
  await page.mouse.move(5, 5);
  // The switch loads when it is near and the page is idle, so the scrolling stops there.
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  await page.locator('#opt-out button').waitFor();
  // The form loads later than the switch, so that one round may not be enough.
  do await scrollThrough(page);
  while (await page.evaluate(isAsleep));
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await nothingMoves(page);
}

const isAsleep = (): boolean =>
  document.querySelector(
    ':is([data-island], #opt-out):not([data-ready]), [data-reveal=waiting]:not([hidden])',
  ) !== null;
