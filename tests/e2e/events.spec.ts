/** The events of the tracking plan, except clicks and page views, as PostHog gets them. */
import { toggleFilm, wake } from '../helpers/browser/page-steps.ts';
import { capturedEvents, expect, settle, test, type World } from './fixtures.ts';

/** Events of one visit, in the order in which they arrived. */
const eventsOf = (world: World, name: string, ref: string) =>
  world.posthog.events.filter(
    ({ event, properties }) => event === name && properties.referrer === ref,
  );

test('PostHog gets each section once, when it has been half in view for a second', async ({
  page,
  world,
}) => {
  const ref = 'looks-at-sections';
  const sections = () =>
    eventsOf(world, 'section_viewed', ref).map((one) => one.properties.section);
  const show = (id: string) =>
    page.evaluate((name) => {
      document.getElementById(name)?.scrollIntoView({ behavior: 'instant' });
    }, id);
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  await expect.poll(sections).toEqual(['top']);
  await show('benefits');
  await expect.poll(sections).toContain('benefits');
  await show('top');
  await show('impact');
  await expect.poll(sections).toContain('impact');
  expect(sections().filter((section) => section === 'top')).toEqual(['top']);
  expect(new Set(sections()).size).toBe(sections().length);

  const [view] = await capturedEvents(world, '$pageview', ref, 1);
  const [first] = eventsOf(world, 'section_viewed', ref);
  expect(first?.distinct_id).toBe(view?.distinct_id);
});

test('PostHog does not get a section that the visitor only scrolls past', async ({
  page,
  world,
}) => {
  const ref = 'scrolls-past';
  await page.clock.install();
  await page.goto(`/?ref=${ref}`);
  await wake(page);
  await page.clock.runFor(60_000);
  await expect.poll(() => eventsOf(world, 'section_viewed', ref)).not.toEqual([]);
  await page.clock.pauseAt(Date.now() + 120_000);
  const sections = () =>
    eventsOf(world, 'section_viewed', ref).map((one) => one.properties.section);
  const before = sections();
  const past = ['benefits', 'impact', 'register'].find((id) => !before.includes(id)) ?? '';
  for (const id of [past, 'top']) {
    await page.evaluate(async (name) => {
      document.getElementById(name)?.scrollIntoView({ behavior: 'instant' });
      // Waits until the browser has called its observers.
      await new Promise((resolve) => {
        const target = document.getElementById(name) as Element;
        new IntersectionObserver(([entry]) => entry?.isIntersecting && resolve(null)).observe(
          target,
        );
      });
    }, id);
  }
  await page.clock.runFor(60_000);
  await toggleFilm(page);
  await page.clock.runFor(1000);
  await capturedEvents(world, 'video_played', ref, 1);
  expect(sections()).not.toContain(past);
});

test('PostHog gets one event when the film starts, also if the visitor pauses it and goes on', async ({
  page,
  world,
}) => {
  await page.goto('/?ref=plays');
  await wake(page);
  expect(eventsOf(world, 'video_played', 'plays')).toEqual([]);
  const film = page.locator('video');
  for (const paused of [false, true, false]) {
    await toggleFilm(page);
    await expect(film).toHaveJSProperty('paused', paused);
  }
  const [played] = await capturedEvents(world, 'video_played', 'plays', 1);
  expect(played?.properties).toMatchObject({ referrer: 'plays', $host: new URL(world.url).host });
});

test('PostHog gets the three web vitals when the page is hidden, each with its value and rating', async ({
  page,
  world,
}) => {
  const ref = 'has-vitals';
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  // The largest paint is final with the first press after web-vitals has loaded, which is late.
  await expect(async () => {
    await page.click('h1');
    await expect.poll(() => eventsOf(world, 'web_vital', ref), { timeout: 3000 }).toHaveLength(1);
  }).toPass();
  // The browser reports a press after the next paint, and web-vitals reads the report when it is idle.
  await page.evaluate(async () => {
    await new Promise((resolve) =>
      new PerformanceObserver(resolve).observe({ type: 'first-input', buffered: true }),
    );
    await new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve)));
  });
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const names = () => eventsOf(world, 'web_vital', ref).map(({ properties }) => properties.name);
  await expect.poll(() => names().sort()).toEqual(['CLS', 'INP', 'LCP']);
  for (const { properties } of eventsOf(world, 'web_vital', ref)) {
    expect(properties).toMatchObject({
      value: expect.any(Number),
      rating: expect.stringMatching(/^(good|needs-improvement|poor)$/),
    });
  }
});
