/** The sum of the clicks: the hero's number of presses (§7, §9). */

import { layoutFaults } from '../helpers/browser/page-layout.ts';
import { calm, wake } from '../helpers/browser/page-steps.ts';
import { lettered, settle, shifts } from '../helpers/browser/page-waits.ts';
import { clickAt } from '../helpers/fakes/clicks.ts';
import { expect, test, type World } from './fixtures.ts';

// A server of this file's own, because other tests' clicks would count here.
test.use({ serverEnv: { LOG_LEVEL: 'error', RATE_LIMIT: '0' } });

/** The number of presses from which the page shows it. */
const THRESHOLD = 500;
/** Clicks that the test sends at once. */
const BATCH = 50;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const STATS = '**/api/stats';

test('the hero says how often people pressed, and nothing moves', async ({ page, world }) => {
  await clickUpTo(world, THRESHOLD - 1);
  await page.goto('/');
  const counted = page.waitForResponse(STATS);
  await settle(page);
  await counted;
  await expect(page.getByText(/The button has been pressed/)).toHaveCount(0);

  // An open page would send its events while the server starts again.
  await page.goto('about:blank');
  await clickUpTo(world, THRESHOLD);
  const places = () =>
    Promise.all(
      ['h1', 'svg[data-arrive]', '#about'].map((part) => page.locator(part).boundingBox()),
    );
  for (const [width, path, sentence] of [
    [320, '/', `The button has been pressed ${THRESHOLD} times`],
    [768, '/es/', `el botón se ha pulsado ${THRESHOLD} veces`],
    [1440, '/', `The button has been pressed ${THRESHOLD} times`],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(path);
    await lettered(page);
    await calm(page);
    const before = await places();
    const shifted = await shifts(page);
    await settle(page);
    await expect(page.getByText(sentence)).toBeVisible();
    expect(await places()).toEqual(before);
    expect(await shifts(page)).toBe(shifted);
    expect(await layoutFaults(page)).toEqual([]);
  }
});

test('§9: the hero asks every 30 s, and not while hidden', async ({ page }) => {
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/stats')) asked++;
  });
  /** Lets the page's time pass until it asks. Returns how long that was. */
  const pause = async () => {
    const STEP_MS = 500;
    const [before, answered] = [asked, page.waitForResponse(STATS)];
    let passed = 0;
    for (; asked === before && passed < 70_000; passed += STEP_MS) {
      await page.clock.runFor(STEP_MS);
    }
    await answered;
    return passed;
  };
  await page.clock.install();
  await page.goto('/');
  // On a busy machine the test sees the request some steps late.
  expect(await pause()).toBeLessThan(45_000);
  await wake(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await pause();
  const second = await pause();
  expect(second).toBeGreaterThan(28_000);
  expect(second).toBeLessThan(45_000);

  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const before = asked;
  await page.clock.runFor(120_000);
  expect(asked).toBe(before);
});

/** Sends people's clicks to the real server until it has so many, and a robot's with each. A new start counts them at once. */
async function clickUpTo(world: World, count: number): Promise<void> {
  const have = world.site.lines().filter((line) => !line.is_bot && !line.is_internal).length;
  for (let left = count - have; left > 0; left -= BATCH) {
    const clicks = Array.from({ length: Math.min(left, BATCH) }, () => click(world, FIREFOX));
    await Promise.all([...clicks, click(world, 'Mozilla/5.0 (compatible; Googlebot/2.1)')]);
  }
  await world.site.stop();
  await world.site.start();
}

let sent = 0;
async function click(world: World, userAgent: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${world.site.port}/api/log-cta`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ ...clickAt(Date.now(), ++sent), user_agent: userAgent }),
  });
  expect(answer.status).toBe(200);
}
