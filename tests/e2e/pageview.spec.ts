import { capturedEvents, expect, firstPaint, settle, test } from './fixtures.ts';

// Chromium reports each failed request, and these tests make requests fail.
test.use({ expectedComplaints: /Failed to load resource/ });

const EVENTS = '**/k/e/';

test('a visitor who leaves before any external script has loaded is still one $pageview', async ({
  page,
  world,
}) => {
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/?ref=leaves-early&token=secret', { waitUntil: 'commit' });
  await firstPaint(page);
  await page.goto('about:blank');
  const [view] = await capturedEvents(world, '$pageview', 'leaves-early', 1);
  expect(view?.properties.$current_url).toBe(world.url);
});

test('a browser that hides paint timing counts the visit after three seconds', async ({
  page,
  world,
}) => {
  await page.clock.install();
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {};
  });
  await page.goto('/?ref=hides-paint');
  await page.clock.fastForward(3000);
  expect(await capturedEvents(world, '$pageview', 'hides-paint', 1)).toHaveLength(1);
});

test('a visit is one $pageview, under the id that joins it with its clicks', async ({
  page,
  world,
}) => {
  await page.goto('/?ref=stays');
  await settle(page);
  await page.click('[data-cta=hero]');
  const [click] = await capturedEvents(world, 'cta_click', 'stays', 1);
  const [view] = await capturedEvents(world, '$pageview', 'stays', 1);
  expect(view?.uuid).toBe(view?.distinct_id);
  expect(view?.distinct_id).toBe(click?.distinct_id);
});

for (const [name, fail] of Object.entries({
  'PostHog is away': (route: { fulfill(answer: { status: number }): Promise<void> }) =>
    route.fulfill({ status: 503 }),
  'the connection breaks': (route: { abort(): Promise<void> }) => route.abort(),
})) {
  test(`where ${name} at first, the pipeline counts the visit, once`, async ({ page, world }) => {
    const ref = name.replaceAll(' ', '-');
    await page.route(EVENTS, fail, { times: 1 });
    await page.goto(`/?ref=${ref}`);
    await settle(page);
    await page.mouse.move(200, 300);
    await capturedEvents(world, '$pageview', ref, 1);
  });
}
