/** §7: `$web_vitals` and `$pageleave`, which each page load sends at most once. */
import type { Page } from '@playwright/test';
import { islandsInViewReady, moduleRan } from '../helpers/browser/page-waits.ts';
import { capturedEvents, expect, test } from './fixtures.ts';

/** Records what the page's observers observe, because web-vitals loads late and shows nothing. */
const recordObserved = () => {
  const observed: string[] = [];
  Object.assign(window, { observed });
  const { observe } = PerformanceObserver.prototype;
  PerformanceObserver.prototype.observe = function (options) {
    observed.push(options?.type ?? '');
    observe.call(this, options);
  };
};

/** Resolves when the browser has reported a press, and web-vitals has read the report. */
const pressReported = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) =>
      new PerformanceObserver(resolve).observe({ type: 'first-input', buffered: true }),
    );
    await new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve)));
  });

/** Hides the page, or shows it again. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    const visibilityState = hidden ? 'hidden' : 'visible';
    for (const [name, value] of Object.entries({ hidden, visibilityState }))
      Object.defineProperty(document, name, { get: () => value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

test('a page that is hidden three times reports its web vitals and its duration once', async ({
  page,
  world,
  ref,
}) => {
  await page.addInitScript(recordObserved);
  // The page counts from the start of its navigation.
  const askedAt = Date.now();
  await page.goto(`/?ref=${ref}`);
  await islandsInViewReady(page);
  // The last one that web-vitals observes.
  await page.waitForFunction(() =>
    (window as unknown as { observed: string[] }).observed.includes('layout-shift'),
  );
  for (const isFirst of [true, false, false]) {
    await page.click('h1');
    if (isFirst) await pressReported(page);
    await setHidden(page, true);
    await setHidden(page, false);
  }
  const openMs = Date.now() - askedAt;
  await page.evaluate(() => document.querySelector('video')?.dispatchEvent(new Event('play')));
  await page.close({ runBeforeUnload: true });

  await capturedEvents(world, 'video_played', ref, 1);
  const [vitals] = await capturedEvents(world, '$web_vitals', ref, 1);
  const [left] = await capturedEvents(world, '$pageleave', ref, 1);
  const values = ['LCP', 'FCP', 'INP', 'CLS'].map(
    (name) => vitals?.properties[`$web_vitals_${name}_value`],
  );
  expect(values).toEqual(Array(4).fill(expect.any(Number)));
  const seconds = Number(left?.properties.$prev_pageview_duration);
  expect(left?.properties.$prev_pageview_pathname).toBe('/');
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(openMs / 1000);
});

test('a tab that is closed without any input reports its duration, and no web vitals', async ({
  page,
  world,
  ref,
}) => {
  await page.goto(`/?ref=${ref}`);
  await moduleRan(page);
  await page.close({ runBeforeUnload: true });
  await capturedEvents(world, '$pageleave', ref, 1);
  await capturedEvents(world, '$web_vitals', ref, 0);
});
