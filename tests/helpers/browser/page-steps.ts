/** Steps that the browser tests share. Each waits for events, never for a fixed time. */

import type { Page } from '@playwright/test';
import { started } from './page-waits.ts';

/**
 * Waits for the next frame inside the page: `page.evaluate((frame) => …, await nextFrame(page))`. On a busy machine Chromium
 * sometimes draws no frame until another event. Then 100 ms count as a frame.
 */
const nextFrame = (page: Page) =>
  page.evaluateHandle(
    () => () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => resolve());
        setTimeout(resolve, 100);
      }),
  );

/** Waits until nothing moves: the scroll position is constant for some frames, and no animation runs. */
export async function calm(page: Page): Promise<void> {
  await page.evaluate(
    async (frame) => {
      const FRAMES = 3;
      for (let still = 0, last = -1; still < FRAMES; ) {
        await frame();
        const runs = document.getAnimations().some(({ playState }) => playState === 'running');
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

/** Waits for all deferred work: islands hydrated, sections moved in. Leaves the page at its top, without focus. */
export async function wake(page: Page): Promise<void> {
  await started(page);
  await page.mouse.move(3, 3);
  await page.mouse.move(5, 5);
  // React loads in a pause, so the scrolling has to stop.
  await page.locator('[data-island=toaster][data-ready]').waitFor({ state: 'attached' });
  // The deferred script may arrive at the end of the page. It then needs another round to see each section.
  do await scrollThrough(page);
  while (await page.evaluate(isAsleep));
  await page.locator('[data-island=opt-out] button').waitFor();
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await calm(page);
}

const isAsleep = (): boolean =>
  document.querySelector('[data-island]:not([data-ready]), [data-reveal=waiting]:not([hidden])') !==
  null;

/**
 * Goes to another page and back. Needs a browser from `withBackForwardCache`.
 *
 * @param meanwhile runs while the other page is shown
 * @throws if the browser has loaded the page again instead of keeping it
 */
export async function leaveAndReturn(
  page: Page,
  elsewhere: string,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  const { pathname } = new URL(page.url());
  await page.evaluate(() => Object.assign(window, { wasKept: true }));
  await page.goto(elsewhere);
  await meanwhile();
  // The page may be gone before it answers.
  await page.evaluate(() => history.back()).catch(() => {});
  await page.waitForURL((url) => url.pathname === pathname, { waitUntil: 'commit' });
  if (await page.evaluate(() => !('wasKept' in window))) throw new Error('The page was not kept.');
}

/** Runs before a page, as in a browser that blocks storage. */
export function refuseStorage(): void {
  Object.defineProperty(window, 'localStorage', {
    get() {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    },
  });
}
