/**
 * §7: the first seconds of a visit: the page paints and does not move, a click counts at once, and
 * so does the visit.
 */
import {
  firstPaint,
  layoutShift,
  moduleRan,
  noMoreRequests,
} from '../helpers/browser/page-waits.ts';
import { capturedEvents, expect, loggedClicks, test } from './fixtures.ts';

test.use({ expectedComplaints: /ERR_|503|IntersectionObserver/ });
test.afterEach(({ world }) => world.slow.release());

const CTA = '[data-cta=hero]';

test('the hero is painted first, and then does not move', async ({ page, world }) => {
  world.slow.hold(/\.(css|woff2)$/);
  await page.goto(world.slow.url, { waitUntil: 'commit' });
  await firstPaint(page);
  await expect(page.locator('#impact')).not.toBeVisible();
  const top = async () => (await page.locator(CTA).boundingBox())?.y;
  const before = await top();
  world.slow.release();
  await noMoreRequests(page);
  await expect(page.locator('#impact')).toBeVisible();
  expect(await top()).toBe(before);
  expect(await layoutShift(page)).toBe(0);
});

test('the first link of half a page is armed', async ({ page, world, ref }) => {
  world.slow.cut('The button opens the site');
  await page.goto(`${world.slow.url}?ref=${ref}`, { waitUntil: 'commit' });
  await page.click(CTA);
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.event).toBe('hero_cta_click');
  expect(await page.locator(CTA).getAttribute('href')).toContain(`ref=${ref}`);
});

for (const [path, cta] of [
  ['', 'hero'],
  ['es/help/', 'help'],
] as const) {
  test(`a click on /${path} before the scripts counts once`, async ({ page, world, ref }) => {
    world.slow.hold(/\.js$/);
    await page.goto(`${world.slow.url}${path}?ref=${ref}`, { waitUntil: 'commit' });
    const link = page.locator(`[data-cta=${cta}]`);
    await link.click();
    expect(await link.getAttribute('href')).toContain(`ref=${ref}`);
    expect(await link.getAttribute('ping')).toBeNull();
    const [line] = await loggedClicks(world, ref, 1);
    expect(line?.via).toBe('beacon');
    world.slow.release();
    await moduleRan(page);
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
    await loggedClicks(world, ref, 1);
    await capturedEvents(world, 'cta_click', ref, 1);
  });
}

/** As some visitors set their browser, and as extensions make it. */
const WITHOUT_BEACONS = {
  'are missing': 'delete Navigator.prototype.sendBeacon',
  throw: 'Navigator.prototype.sendBeacon = () => { throw new TypeError("refused"); }',
};

for (const [how, breakBeacons] of Object.entries(WITHOUT_BEACONS)) {
  test(`where beacons ${how}, a click before the scripts counts, also if the tab is closed and nobody returns`, async ({
    page,
    world,
    ref,
  }) => {
    await page.addInitScript(breakBeacons);
    world.slow.hold(/\.js$/);
    await page.goto(`${world.slow.url}?ref=${ref}`, { waitUntil: 'commit' });
    await page.click(CTA, { modifiers: ['Control'] });
    await page.close();
    await loggedClicks(world, ref, 1);
  });
}

test('statistics that cannot start take no click with them', async ({ page, world, ref }) => {
  await page.addInitScript('delete window.IntersectionObserver');
  await page.goto(`/?ref=${ref}`);
  await moduleRan(page);
  await page.click(CTA, { modifiers: ['Control'] });
  const [line] = await loggedClicks(world, ref, 1);
  // The stub alone would have sent a beacon.
  expect(line?.via).toBe('fetch');
});

test('a visitor who leaves early is one page view', async ({ page, world, ref }) => {
  // Held by the server: Playwright's own `route` pauses every request of the page, and one that is
  // paused when the visitor leaves may be lost.
  world.slow.hold(/\.js$/);
  await page.goto(`${world.slow.url}?ref=${ref}&token=secret`, { waitUntil: 'commit' });
  await firstPaint(page);
  // The script that sends the view follows the hero, whose paint may come first.
  await expect(page.locator('link[rel=stylesheet]')).toBeAttached();
  await page.goto('about:blank');
  const [view] = await capturedEvents(world, '$pageview', ref, 1);
  expect(view?.properties.$current_url).toBe(world.slow.url);
  const rows = world.site.rows('SELECT * FROM visits WHERE referrer = ?', ref);
  expect(rows).toMatchObject([{ page: '/', is_first: 1 }]);
  // Nothing of the row is in the event, so that the row does not lead to the clicks.
  expect(JSON.stringify(view)).not.toContain(String(rows[0]?.id));
});

test('a page that is left within a second is brief, unless the visitor acts; a return is a view and no visit', async ({
  page,
  world,
  ref,
}) => {
  // The page's second does not pass.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(`/?ref=${ref}`);
  await capturedEvents(world, '$pageview', ref, 1);
  await page.goto(`/help/?ref=${ref}`);
  await capturedEvents(world, '$pageview', ref, 2);
  await page.keyboard.press('Shift');
  // Chromium under test has no back-forward cache.
  await page.evaluate(
    () => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  );
  await capturedEvents(world, '$pageview', ref, 3);
  await page.goto('about:blank');
  const sql = `SELECT page, is_first, is_brief FROM visits WHERE referrer = ?
    ORDER BY page, is_first DESC`;
  await expect
    .poll(() => world.site.rows(sql, ref))
    .toEqual([
      { page: '/', is_first: 1, is_brief: 1 },
      { page: '/help/', is_first: 1, is_brief: 0 },
      { page: '/help/', is_first: 0, is_brief: 0 },
    ]);
});

test('a page rendered ahead of time is no visit yet; a view that meets a 503 counts once', async ({
  page,
  world,
  ref,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
  });
  await page.goto(`/?ref=${ref}`);
  await moduleRan(page);
  expect(world.posthog.events.filter(({ properties }) => properties.referrer === ref)).toEqual([]);
  const refused = page.waitForResponse('**/k/visit');
  const shownAt = Date.now();
  await page.route('**/k/visit', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => false });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const { timestamp } = (await refused).request().postDataJSON();
  await page.goto('about:blank');
  const [view] = await capturedEvents(world, '$pageview', ref, 1);
  // The time when the visitor saw the page: neither when it was rendered nor when the view was sent
  // again.
  expect(view?.timestamp).toBe(timestamp);
  expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(shownAt);
  const visits = world.site.rows('SELECT page FROM visits WHERE referrer = ?', ref);
  expect(visits).toEqual([{ page: '/' }]);
});
