/** §7: each visit is one page view, also of a visitor who leaves early, and of a browser that hides its paint. */
import { firstPaint, settle, started } from '../helpers/browser/page-waits.ts';
import { capturedEvents, expect, test } from './fixtures.ts';

// Chromium's messages about requests that a test makes fail.
test.use({ expectedComplaints: /ERR_|503/ });

test('a visitor who leaves early is one page view', async ({ page, world, ref }) => {
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(`/?ref=${ref}&token=secret`, { waitUntil: 'commit' });
  await firstPaint(page);
  await page.goto('about:blank');
  const [view] = await capturedEvents(world, '$pageview', ref, 1);
  expect(view?.properties.$current_url).toBe(world.url);
  expect(view?.uuid).toBe(view?.distinct_id);
});

test('a browser that hides paint timing is counted', async ({ page, world, ref }) => {
  await page.clock.install();
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {};
  });
  await page.goto(`/?ref=${ref}`);
  await page.clock.fastForward(3000);
  await capturedEvents(world, '$pageview', ref, 1);
  await started(page);
});

test('a page rendered ahead of time is no visit yet', async ({ page, world, ref }) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
  });
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  expect(world.posthog.events.filter(({ properties }) => properties.referrer === ref)).toEqual([]);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => false });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await capturedEvents(world, '$pageview', ref, 1);
});

test('page views that meet a 503 or a broken connection count once', async ({
  page,
  world,
  ref,
}) => {
  for (const [path, status] of [
    ['/help/privacy/', 503],
    ['/', null],
  ] as const) {
    await page.route('**/k/e/', (route) => (status ? route.fulfill({ status }) : route.abort()), {
      times: 1,
    });
    await page.goto(`${path}?ref=${ref}`);
    await settle(page);
    await page.mouse.move(200, 300);
  }
  await capturedEvents(world, '$pageview', ref, 2);
  const visits = world.site.rows('SELECT page FROM visits WHERE referrer = ?', ref);
  expect(visits.map((visit) => visit.page).sort()).toEqual(['/', '/help/privacy/']);
});
