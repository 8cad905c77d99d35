import { started } from '../helpers/browser/page-steps.ts';
import { drawnFonts, expect, firstPaint, loggedClicks, quiet, shifts, test } from './fixtures.ts';

const CTA = '[data-cta=hero]';

test.describe('on a phone', () => {
  // A phone draws more pixels for each of the page's, and so needs longer for its first frame.
  test.use({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 });

  test('the browser requests no script and sends no event before the first paint', async ({
    page,
  }) => {
    await page.goto('/');
    const painted = await firstPaint(page);
    await quiet(page);
    const loads = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name, startTime }) => ({ path: new URL(name).pathname, startTime })),
    );
    const late = loads.filter(({ path }) => /\.js$|^\/k\/e\/$/.test(path));
    expect(late.map(({ path }) => path)).toContain('/k/e/');
    expect(late.length).toBeGreaterThan(1);
    expect(late.filter(({ startTime }) => startTime < painted)).toEqual([]);
  });
});

test.describe('while the style of the sections and the typefaces are on their way', () => {
  // Without the hero's own motion after its paint.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the hero is painted, and then stays where it is', async ({ page, world }) => {
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
});

test('a phone’s home screen gets a name and icons, from a manifest linked after the first paint', async ({
  page,
}) => {
  const answer = await page.goto('/');
  expect(await answer?.text()).not.toContain('manifest');
  const path = await page.locator('link[rel=manifest]').getAttribute('href');
  const { name, types } = await page.evaluate(async (manifest) => {
    const { name, icons } = await (await fetch(manifest)).json();
    const fetched = icons.map(async ({ src, type }: Record<string, string>) => ({
      said: type,
      is: (await fetch(src ?? '')).headers.get('content-type'),
    }));
    return { name, types: await Promise.all(fetched) };
  }, path ?? '');
  expect(await page.title()).toContain(name);
  expect(types).toHaveLength(3);
  for (const { said, is } of types) expect(is).toBe(said);
});

test('the words are soon drawn in the page’s own two typefaces', async ({ page }) => {
  await page.goto('/');
  await expect.poll(() => drawnFonts(page, 'h1')).toEqual(['Newsreader 16pt']);
  await expect.poll(() => drawnFonts(page, 'h1 + p')).toEqual(['Atkinson Hyperlegible Next']);
});

test.describe('where a typeface does not load', () => {
  test.use({ expectedComplaints: /Failed to load resource|ERR_FAILED/ });

  test('the other is used, without an error message', async ({ page }) => {
    await page.route('**/newsreader*.woff2', (route) => route.abort());
    await page.goto('/');
    await expect.poll(() => drawnFonts(page, 'h1 + p')).toEqual(['Atkinson Hyperlegible Next']);
    expect(await drawnFonts(page, 'h1')).not.toEqual(['Newsreader 16pt']);
  });
});

test.describe('while the rest of the page is still on its way', () => {
  // Without the hero's own motion after its paint, because these tests are about the layout.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test.afterEach(({ world }) => world.slow.release());

  for (const width of [320, 1440]) {
    test(`the first words are there, and stay where they are, at ${width} px`, async ({
      page,
      world,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      world.slow.cut('data-cta="hero"');
      await page.goto(world.slow.url, { waitUntil: 'commit' });
      await firstPaint(page);
      const words = page.locator('h1 + p');
      const before = await words.boundingBox();
      await expect(page.locator(CTA)).toHaveCount(0);
      world.slow.release();
      await expect(page.locator('footer')).toBeAttached();
      await quiet(page);
      expect((await words.boundingBox())?.y).toBe(before?.y);
      expect(await shifts(page)).toBe(0);
    });
  }

  test('the first link is armed', async ({ page, world }) => {
    world.slow.cut('<p class="small text-ink-2">You sign up');
    await page.goto(`${world.slow.url}?ref=half-a-page`, { waitUntil: 'commit' });
    await page.click(CTA);
    const [line] = await loggedClicks(world, 'half-a-page', 1);
    expect(line?.event).toBe('hero_cta_click');
    expect(await page.locator(CTA).getAttribute('href')).toContain('ref=half-a-page');
  });
});

test.describe('the module loads', () => {
  test.use({ expectedComplaints: /Failed to load resource/ });

  test('also where the browser hides paint timing', async ({ page }) => {
    await page.clock.install();
    await page.addInitScript(() => {
      PerformanceObserver.prototype.observe = () => {};
    });
    await page.goto('/');
    await page.clock.fastForward(3000);
    await started(page);
  });

  test('half a minute after a failed attempt', async ({ page }) => {
    await page.clock.install();
    await page.route('**/entries/*.js', (route) => route.abort(), { times: 1 });
    const failed = page.waitForEvent('requestfailed');
    await page.goto('/');
    await failed;
    await expect(async () => {
      await page.clock.fastForward(30_000);
      expect(await page.evaluate(() => Boolean(window.ctaCapture?.onClick))).toBe(true);
    }).toPass();
  });
});
