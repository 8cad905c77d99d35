/** Pages that live longer, or otherwise, than a visit: a click on them still counts once. */
import { expect, loggedClicks, settle, test } from './fixtures.ts';

// What Chromium says of a request that does not arrive.
test.use({ expectedComplaints: /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_FAILED|503/ });

const CTA = '[data-cta=hero]';
const LOG = '**/api/log-cta*';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

test('the server is away for a minute: the click waits, and counts once', async ({
  page,
  world,
}) => {
  await page.clock.install();
  await page.goto('/?ref=a-minute');
  await settle(page);
  await world.site.stop('SIGKILL');
  await page.click(CTA);
  await page.clock.runFor(MINUTE_MS);
  await world.site.start();
  // The longest pause between two tries.
  await page.clock.runFor(5 * MINUTE_MS);
  await loggedClicks(world, 'a-minute', 1);
  await page.clock.runFor(5 * MINUTE_MS);
  await loggedClicks(world, 'a-minute', 1);
});

test('a page that was open for a day, by a clock a day ahead, counts, and the log tells of the clock', async ({
  page,
  world,
}) => {
  await page.clock.install();
  await page.goto('/?ref=a-day');
  await settle(page);
  await page.clock.fastForward(DAY_MS);
  await page.click(CTA);
  const [line] = await loggedClicks(world, 'a-day', 1);
  expect(Date.parse(String(line?.timestamp)) - Date.now()).toBeGreaterThan(DAY_MS - MINUTE_MS);
  expect(Number(line?.skew_ms)).toBeLessThan(-DAY_MS + MINUTE_MS);
});

test('a page that comes back from the back-forward cache sends what still waits', async ({
  page,
  world,
}) => {
  await page.clock.install();
  await page.goto('/?ref=comes-back');
  await settle(page);
  // No timer runs any more, so that no later try can do what the return has to.
  await page.clock.pauseAt(Date.now() + MINUTE_MS);
  await page.route(LOG, (route) => route.abort());
  await page.click(CTA);
  // Tries that fail while the page is there, and the beacon as it goes.
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })),
  );
  expect((await world.site.lines()).filter(({ referrer }) => referrer === 'comes-back')).toEqual(
    [],
  );
  await page.unroute(LOG);
  await page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  );
  await loggedClicks(world, 'comes-back', 1);
});

test('a page that the browser renders ahead of time is no visit until it is shown', async ({
  page,
  world,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
  });
  const views = () =>
    world.posthog.events.filter(
      ({ event, properties }) => event === '$pageview' && properties.referrer === 'ahead',
    ).length;
  await page.goto('/?ref=ahead');
  await settle(page);
  expect(views()).toBe(0);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'visible' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(views).toBe(1);
});
