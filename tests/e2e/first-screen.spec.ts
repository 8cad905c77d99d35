import { LANGUAGES, pathIn } from '#contract/language.ts';
import { expect, lettered, test } from './fixtures.ts';

test.describe('where no script loads', () => {
  test.use({ expectedComplaints: /Failed to load resource/ });
  test('the end of the page is laid out all the same', async ({ page }) => {
    await page.route('**/*.js', (route) => route.abort());
    await page.goto('/');
    const closing = page.locator('[data-cta=closing]');
    await closing.scrollIntoViewIfNeeded();
    await expect(closing).toBeInViewport();
  });
});

test('a fragment leads to its heading', async ({ page }) => {
  await page.goto('/#impact');
  await expect(page.locator('#impact')).toBeInViewport();
  await page.waitForLoadState('load');
  await expect(page.locator('#impact')).toBeInViewport();
});

test('a reload keeps the scroll position', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() =>
    document.querySelector('#impact')?.scrollIntoView({ behavior: 'instant' }),
  );
  const before = await page.evaluate(() => scrollY);
  await page.reload();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
  await expect(page.locator('#impact')).toBeInViewport();
});

test.describe('a visitor who is at the end before the footer has arrived', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test('keeps it in view', async ({ page, world }) => {
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
});

for (const path of LANGUAGES.map((language) => pathIn(language, '/'))) {
  test(`${path} shows the button on the smallest phone, and every fact on a laptop`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await page.goto(path);
    await lettered(page);
    await expect(page.locator('[data-cta=hero]')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1366, height: 768 });
    const facts = page.getByRole('main').getByRole('list').first().getByRole('link');
    await expect(facts).toHaveCount(4);
    for (const fact of await facts.all()) await expect(fact).toBeInViewport({ ratio: 1 });
  });

  test(`each fact of ${path} leads to its answer`, async ({ page }) => {
    await page.goto(path);
    const facts = page.getByRole('main').getByRole('list').first().getByRole('link');
    const hrefs = await facts.evaluateAll((links) =>
      links.map((link) => (link as HTMLAnchorElement).href),
    );
    expect(hrefs).toHaveLength(4);
    for (const href of hrefs) {
      await page.goto(href);
      const { pathname, hash } = new URL(href);
      expect(pathname, 'the same language').toMatch(new RegExp(`^${path}help/`));
      await expect(page.locator(hash || 'h1')).toBeInViewport();
    }
  });
}
