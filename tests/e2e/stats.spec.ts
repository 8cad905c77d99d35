import { layoutFaults } from '../helpers/browser/page-layout.ts';
import { calm } from '../helpers/browser/page-steps.ts';
import { expect, lettered, settle, shifts, test, type World } from './fixtures.ts';

// A server of this file's own, because other tests' clicks would count here.
test.use({ serverEnv: { LOG_LEVEL: 'error', RATE_LIMIT: '0' } });

/** The number of presses from which the page shows it. */
const THRESHOLD = 500;
/** Clicks that the test sends at once. */
const BATCH = 50;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';

test('the hero says how often the button was pressed, once that is often enough', async ({
  page,
  world,
}) => {
  const sentence = page.getByText(/The button has been pressed/);
  await clickUpTo(world, THRESHOLD - 1);
  await page.goto('/');
  const counted = page.waitForResponse('**/api/stats');
  await settle(page);
  await counted;
  await expect(sentence).toHaveCount(0);

  // An open page would send its events while the server starts again.
  await page.goto('about:blank');
  await clickUpTo(world, THRESHOLD);
  await page.goto('/');
  await lettered(page);
  await calm(page);
  const before = await page.locator('h1').boundingBox();
  await settle(page);
  await expect(sentence).toContainText(String(THRESHOLD));
  expect(await page.locator('h1').boundingBox()).toEqual(before);
});

for (const width of [320, 390, 768, 1440]) {
  test(`at ${width} px nothing moves when the number appears, and it covers no words`, async ({
    page,
    world,
  }) => {
    await clickUpTo(world, THRESHOLD);
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    await lettered(page);
    await calm(page);
    const places = () => Promise.all(['h1', 'svg[data-arrive]', '#about'].map(placeOf));
    const placeOf = (selector: string) => page.locator(selector).boundingBox();
    const before = await places();
    const shifted = await shifts(page);
    await settle(page);
    await expect(page.getByText(/The button has been pressed/)).toContainText(String(THRESHOLD));
    expect(await places()).toEqual(before);
    expect(await shifts(page)).toBe(shifted);
    expect(await layoutFaults(page)).toEqual([]);
  });
}

test('the counts are asked for every 30 s, also by a visitor who landed far below the hero', async ({
  page,
}) => {
  const STEP_MS = 500;
  let asked = 0;
  let answered = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/stats')) asked += 1;
  });
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/api/stats')) answered += 1;
  });
  await page.clock.install();
  await page.goto('/#register');
  await expect(page.getByRole('heading', { level: 1 })).not.toBeInViewport();
  await settle(page);
  await expect.poll(() => answered).toBe(1);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);

  /** The page's time from one answer to the next request, in steps. */
  const pause = async () => {
    const before = asked;
    let passed = 0;
    for (; asked === before && passed < 70_000; passed += STEP_MS) {
      await page.clock.runFor(STEP_MS);
    }
    await expect.poll(() => answered).toBe(asked);
    return passed;
  };
  await pause();
  const second = await pause();
  expect(second).toBeGreaterThan(28_000);
  // On a busy machine the test sees the request some steps late.
  expect(second).toBeLessThan(45_000);
});

/** Sends people's clicks to the real server until it has so many, and a robot's with each. A new start counts them at once. */
async function clickUpTo(world: World, count: number): Promise<void> {
  const have = world.site.lines().filter((line) => line.is_bot === false).length;
  for (let left = count - have; left > 0; left -= BATCH) {
    const clicks = Array.from({ length: Math.min(left, BATCH) }, () => click(world, FIREFOX));
    await Promise.all([...clicks, click(world, 'Mozilla/5.0 (compatible; Googlebot/2.1)')]);
  }
  await world.site.stop();
  await world.site.start();
}

async function click(world: World, userAgent: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${world.site.port}/api/log-cta`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({
      event: 'hero_cta_click',
      referrer: null,
      ip: null,
      timestamp: new Date().toISOString(),
      page_url: world.url,
      user_agent: userAgent,
      is_mobile: false,
    }),
  });
  expect(answer.status).toBe(200);
}
