/** The first seconds of a visit: the page paints, counts a click at once, and does not move afterwards. */
import { firstPaint, lettered, quiet, shifts, started } from '../helpers/browser/page-waits.ts';
import { capturedEvents, expect, loggedClicks, test } from './fixtures.ts';

const CTA = '[data-cta=hero]';

// Without the hero's own motion after its paint, because these tests are about the layout.
test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.afterEach(({ world }) => world.slow.release());

test.describe('on a phone', () => {
  // A phone draws more pixels for each of the page's, and so needs longer for its first frame.
  test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 });

  test('no event is sent before the first paint', async ({ page }) => {
    await page.goto('/');
    const painted = await firstPaint(page);
    const sent = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => new URL(name).pathname === '/k/e/')
          .map(({ startTime }) => startTime),
      );
    await expect.poll(sent).not.toEqual([]);
    expect(Math.min(...(await sent()))).toBeGreaterThan(painted);
  });
});

test('the hero is painted first, and then does not move', async ({ page, world }) => {
  world.slow.hold(/\.(css|woff2)$/);
  await page.goto(world.slow.url, { waitUntil: 'commit' });
  await firstPaint(page);
  await expect(page.locator(CTA)).toBeVisible();
  await expect(page.locator('#impact')).not.toBeVisible();
  const tops = () =>
    page
      .locator('header a, h1, [data-cta=hero]')
      .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().y)));
  const before = await tops();
  world.slow.release();
  await quiet(page);
  await expect(page.locator('#impact')).toBeVisible();
  expect(await tops()).toEqual(before);
  expect(await shifts(page)).toBe(0);
});

for (const width of [320, 1440]) {
  test(`the first words at ${width} px come first, and do not move`, async ({ page, world }) => {
    await page.setViewportSize({ width, height: 900 });
    world.slow.cut('data-cta="hero"');
    await page.goto(world.slow.url, { waitUntil: 'commit' });
    await firstPaint(page);
    const words = page.locator('h1 + p');
    const before = await words.boundingBox();
    await expect(page.locator(CTA)).toHaveCount(0);
    world.slow.release();
    await quiet(page);
    expect((await words.boundingBox())?.y).toBe(before?.y);
    expect(await shifts(page)).toBe(0);
  });
}

test('a visitor at the end keeps it in view', async ({ page, world }) => {
  world.slow.cut('<footer');
  await page.goto(world.slow.url, { waitUntil: 'commit' });
  const closing = page.locator('[data-cta=closing]');
  await closing.focus();
  const before = await closing.boundingBox();
  world.slow.release();
  await lettered(page);
  // The web fonts may move a line by a fraction of a pixel.
  const moved = ((await closing.boundingBox())?.y ?? 0) - (before?.y ?? 0);
  expect(Math.abs(moved)).toBeLessThan(2);
});

test('§7: the first link of half a page is armed', async ({ page, world, ref }) => {
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
  test(`§7: a click on /${path} before the scripts counts once`, async ({ page, world, ref }) => {
    world.slow.hold(/\.js$/);
    await page.goto(`${world.slow.url}${path}?ref=${ref}`, { waitUntil: 'commit' });
    const link = page.locator(`[data-cta=${cta}]`);
    await link.click();
    expect(await link.getAttribute('href')).toContain(`ref=${ref}`);
    expect(await link.getAttribute('ping')).toBeNull();
    const [line] = await loggedClicks(world, ref, 1);
    expect(line?.via).toBe('beacon');
    world.slow.release();
    await started(page);
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
    await loggedClicks(world, ref, 1);
    await capturedEvents(world, 'cta_click', ref, 1);
  });
}
