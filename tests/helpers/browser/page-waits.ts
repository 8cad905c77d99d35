/**
 * Waits for a page's own progress: its module, its islands, its fonts, its paint. None waits for a
 * fixed time.
 */
import type { Page } from '@playwright/test';

/**
 * Resolves when the page's module has run: it has then taken the clicks from the stub, whose own
 * function sends each of them as a beacon.
 */
export async function started(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !document.querySelector('script[type=module]') ||
      (window.ctaStub && !String(window.ctaStub.onClick).includes('via=beacon')),
  );
}

/** Waits until the page has loaded, and every interactive part in view is awake. */
export async function settle(page: Page): Promise<void> {
  await started(page);
  await page.mouse.move(3, 3);
  await page.mouse.move(5, 5);
  await lettered(page);
  await page.waitForFunction(() => {
    const asleep = [
      ...document.querySelectorAll(':is([data-island], [data-stats]):not([data-ready])'),
    ];
    const isInView = (part: Element) => {
      const { top, bottom } = part.getBoundingClientRect();
      return part.matches('[data-stats]') || (top < innerHeight && bottom > 0);
    };
    return document.readyState === 'complete' && !asleep.some(isInView);
  });
}

/** Waits until the page also makes no more requests, for tests of what it never does. */
export async function quiet(page: Page): Promise<void> {
  await settle(page);
  await page.waitForLoadState('networkidle');
}

/**
 * Resolves once the words of a landing page are drawn in the web fonts, or in the fallbacks where
 * these failed.
 */
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

/**
 * The fonts in which an element's words are drawn: a web font by its family, a local one by its
 * PostScript name.
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

export async function firstPaint(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
}

/**
 * Waits for the next frame inside the page: `page.evaluate((frame) => …, await nextFrame(page))`.
 * On a busy machine Chromium sometimes draws no frame until another event. Then 100 ms count as a
 * frame.
 */
const nextFrame = (page: Page) =>
  page.evaluateHandle(
    () => () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => resolve());
        setTimeout(resolve, 100);
      }),
  );

/**
 * Waits until nothing moves: the scroll position is constant for some frames, and no animation runs
 * by itself. An animation that follows the scrolling counts as running for ever.
 */
export async function calm(page: Page): Promise<void> {
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

/** Scrolls from the top to the end, a screen at a time, as a reader does. */
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

/**
 * Waits for all deferred work: islands hydrated, sections moved in. Leaves the page at its top,
 * without focus.
 */
export async function wake(page: Page): Promise<void> {
  await started(page);
  await page.mouse.move(3, 3);
  await page.mouse.move(5, 5);
  // React loads near the footer, in a pause, so the scrolling has to stop there.
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  await page.locator('[data-island=toaster][data-ready]').waitFor({ state: 'attached' });
  // The form arrives later. Parts that wait then need another round.
  do await scrollThrough(page);
  while (await page.evaluate(isAsleep));
  await page.locator('[data-island=opt-out] button').waitFor();
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await calm(page);
}

const isAsleep = (): boolean =>
  document.querySelector('[data-island]:not([data-ready]), [data-reveal=waiting]:not([hidden])') !==
  null;
