/** Steps that the browser tests share. Each waits for events, never for a fixed time. */
import type { Page } from '@playwright/test';
import { pageLook } from './page-look.ts';

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

/**
 * Waits until nothing moves: the scroll position is constant for some frames, and no animation runs. Scroll-driven animations
 * do not count, because they never end.
 */
export async function calm(page: Page): Promise<void> {
  await page.evaluate(
    async (frame) => {
      const FRAMES = 3;
      for (let still = 0, last = -1; still < FRAMES; ) {
        await frame();
        const runs = document
          .getAnimations()
          .some((one) => one.playState === 'running' && one.timeline instanceof DocumentTimeline);
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

/** Resolves when the page's module has run, after the first paint. */
export async function started(page: Page): Promise<void> {
  await page.waitForFunction(
    () => !document.querySelector('template[data-module]') || window.ctaCapture?.onClick,
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
  await page.getByRole('button', { name: 'counting on this device' }).waitFor();
  await page.getByRole('button', { name: 'Play the film' }).waitFor();
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await calm(page);
}

const isAsleep = (): boolean =>
  document.querySelector('[data-island]:not([data-ready]), [data-reveal=waiting]:not([hidden])') !==
  null;

export interface Stop {
  /** Its index among the page's controls in document order; -1: not one of them. */
  index: number;
  label: string;
  /** Relative to the page, not to the view. */
  top: number;
  bottom: number;
  left: number;
  /** Faults of its visibility while it has the focus. */
  faults: string[];
}

/** Presses Tab, or Shift+Tab, until the focus leaves the page. @returns every stop */
export async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Stop[]> {
  const MORE_THAN_ANY = 60;
  const stops: Stop[] = [];
  while (stops.length < MORE_THAN_ANY) {
    await page.keyboard.press(key);
    await calm(page);
    const stop = await focusedStop(page);
    // After the last control the focus is in the browser's own UI. Without one, it is on the first control again.
    if (!stop || stop.index === stops[0]?.index) return stops;
    stops.push(stop);
  }
  throw new Error(`No end after ${MORE_THAN_ANY} stops: ${stops.map(({ label }) => label)}`);
}

async function focusedStop(page: Page): Promise<Stop | null> {
  const look = await pageLook(page);
  return page.evaluate(({ controls, labelOf }) => {
    const element = document.activeElement as HTMLElement;
    if (element === document.body) return null;
    const rect = element.getBoundingClientRect();
    const faults: string[] = [];
    if (rect.top < 0 || rect.left < 0 || rect.bottom > innerHeight || rect.right > innerWidth) {
      faults.push('not wholly in view');
    }
    const INSET = 4; // A round corner is outside of the control.
    for (const line of element.getClientRects()) {
      const xs = [line.left + INSET, line.right - INSET];
      const ys = [line.top + INSET, line.bottom - INSET];
      const points = xs.flatMap((x) => ys.map((y) => [x, y] as const));
      points.push([line.left + line.width / 2, line.top + line.height / 2]);
      for (const [x, y] of points) {
        const hit = document.elementFromPoint(x, y);
        // A label is part of its control, because a click on it activates the control.
        const isOwn = !hit || element.contains(hit) || hit.closest('label')?.contains(element);
        if (!isOwn) faults.push(`covered by ${hit.tagName}.${hit.className}`);
      }
    }
    return {
      index: controls().indexOf(element),
      label: labelOf(element),
      top: rect.top + scrollY,
      bottom: rect.bottom + scrollY,
      left: rect.left,
      faults: [...new Set(faults)],
    };
  }, look);
}

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
