/** A click counts once also on pages that are kept open, restored or rendered ahead of time. */
import { expect, loggedClicks, quiet, settle, test } from './fixtures.ts';

// Chromium's messages about a request that does not arrive.
test.use({
  expectedComplaints:
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_FAILED|503|400|403|redirect/i,
});

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
  await quiet(page);
  await world.site.stop('SIGKILL');
  await page.click(CTA);
  await page.clock.runFor(MINUTE_MS);
  await world.site.start();
  // The longest pause between two attempts.
  await page.clock.runFor(5 * MINUTE_MS);
  await loggedClicks(world, 'a-minute', 1);
  await page.clock.runFor(5 * MINUTE_MS);
  await loggedClicks(world, 'a-minute', 1);
});

for (const [name, answer] of Object.entries({
  'a captive portal’s page': {
    status: 200,
    contentType: 'text/html',
    body: '<title>Wi-Fi</title>',
  },
  'JSON of another service': { status: 200, contentType: 'application/json', body: '{"ok":true}' },
  'a redirect': { status: 302, headers: { location: '/' } },
  'a firewall’s challenge': { status: 403, contentType: 'text/html', body: '<title>Wait</title>' },
})) {
  test(`${name} is not a confirmation: the click waits, and counts once`, async ({
    page,
    world,
  }) => {
    const ref = name.replace(/\W/g, '-');
    await page.goto(`/?ref=${ref}`);
    await settle(page);
    let isInTheWay = true;
    const answered = new Promise<void>((resolve) => {
      void page.route(LOG, async (route) => {
        if (!isInTheWay) return route.continue();
        await route.fulfill(answer);
        // The script's own request; a beacon has no reader.
        if (route.request().url().endsWith('/api/log-cta')) resolve();
      });
    });
    await page.click(CTA);
    await answered;
    isInTheWay = false;
    await loggedClicks(world, ref, 1);
  });
}

test('a server that takes a click and never answers is asked again', async ({ page, world }) => {
  await page.clock.install();
  await page.goto(`${world.slow.url}?ref=never-answers`);
  await settle(page);
  world.slow.hold(/log-cta$/);
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/log-cta'));
  await page.click(CTA, { modifiers: ['Control'] });
  await asked;
  world.slow.hold(/^never$/); // The first stays held.
  await page.clock.runFor(5 * MINUTE_MS);
  const [line] = await loggedClicks(world, 'never-answers', 1);
  expect(line?.via).toBe('fetch');
  world.slow.release();
});

test('two tabs that get their network back together send each waiting click once', async ({
  page,
  context,
  world,
}) => {
  await context.route(LOG, (route) => route.abort());
  const tabs = [page, await context.newPage()];
  for (const tab of tabs) {
    await tab.clock.install();
    await tab.goto(`${world.slow.url}?ref=two-tabs`);
    await settle(tab);
  }
  for (let n = 0; n < 3; n++) await page.click(CTA, { modifiers: ['Control'] });
  // Stops every timer, so that only the network's return can cause a request.
  for (const tab of tabs) await tab.clock.pauseAt(Date.now() + MINUTE_MS);
  const asked: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/log-cta')) asked.push(request.postDataJSON().id);
  });
  await context.unroute(LOG);
  world.slow.hold(/log-cta$/);
  for (const tab of tabs) await tab.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  // The tab that has asked still holds the lock.
  const isFree = () =>
    navigator.locks.request('click-outbox', { ifAvailable: true }, (lock) => lock !== null);
  expect(await page.evaluate(isFree)).toBe(false);
  world.slow.release();
  await loggedClicks(world, 'two-tabs', 3);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  expect(new Set(asked).size).toBe(3);
  expect(asked).toHaveLength(3);
});

test('a click counts on a page that was open for a day, with a clock a day ahead, and the log shows the clock', async ({
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

test('a clock that is a month ahead: the click counts once, under an id of the server’s time', async ({
  page,
  world,
}) => {
  await page.clock.install();
  await page.goto('/?ref=a-month');
  await settle(page);
  await page.clock.fastForward(30 * DAY_MS);
  await page.click(CTA);
  const [line] = await loggedClicks(world, 'a-month', 1);
  const time = Number.parseInt(String(line?.id).replace('-', '').slice(0, 12), 16);
  expect(Math.abs(time - Date.now())).toBeLessThan(DAY_MS);
  expect(Date.parse(String(line?.timestamp)) - Date.now()).toBeGreaterThan(29 * DAY_MS);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('a page that the browser renders ahead of time is not a visit until it is shown', async ({
  page,
  world,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
  });
  const views = () =>
    world.posthog.events.filter(
      ({ event, properties }) => event === '$pageview' && properties.referrer === 'ahead',
    ).length;
  await page.goto('/?ref=ahead');
  await settle(page);
  expect(views()).toBe(0);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => false });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(views).toBe(1);
});
