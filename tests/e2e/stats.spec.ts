import { expect, lettered, settle, test, type World } from './fixtures.ts';

/** VITE_STATS_THRESHOLD of this build. */
const THRESHOLD = 100;

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

  await clickUpTo(world, THRESHOLD);
  await page.reload();
  await lettered(page);
  const before = await page.locator('h1').boundingBox();
  await settle(page);
  await expect(sentence).toContainText(String(THRESHOLD));
  expect(await page.locator('h1').boundingBox()).toEqual(before);
});

/** Sends clicks to the real server until it has so many. */
async function clickUpTo(world: World, count: number): Promise<void> {
  const have = (await world.site.lines()).length;
  for (let i = have; i < count; i++) {
    const answer = await fetch(`http://127.0.0.1:${world.site.port}/api/log-cta`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        event: 'hero_cta_click',
        referrer: null,
        ip: null,
        timestamp: new Date().toISOString(),
        page_url: world.url,
        user_agent: 'test',
        is_mobile: false,
      }),
    });
    expect(answer.status).toBe(200);
  }
}
