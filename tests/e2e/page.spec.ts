import { visiblyChanged } from '../helpers/browser/image-diff.ts';
import { expect, settle, test } from './fixtures.ts';

/** The sections of the specification, in its order: their headings, and where each of its anchors leads. */
const HEADINGS = [
  'The SMA journey is improving, but not fast enough',
  'How It Works',
  'What You Get',
  'Ready to Drive Change?',
];
const ANCHORS = ['about', 'how-it-works', 'benefits', 'impact', 'register'];
const FOOTER_BUTTONS: Record<string, string> = {
  About: 'about',
  'How It Works': 'how-it-works',
  Benefits: 'benefits',
  Register: 'register',
};

test('the page has its sections in order, under their exact titles', async ({ page }) => {
  await page.goto('/');
  const headings = await page.locator('main h2').allTextContents();
  expect(headings.filter((text) => HEADINGS.includes(text))).toEqual(HEADINGS);
  await expect(page.locator('[data-cta=hero]')).toContainText('Join the Drive');
  await expect(page.locator('footer')).toContainText('2025');
  for (const anchor of ANCHORS) await expect(page.locator(`[id="${anchor}"]`)).toHaveCount(1);
});

test('the success story says its number in words and shows it as 85 percent of a bar', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.locator('dl > *').first()).toHaveText(/what people hope for/);
  await expect(page.locator('dt:first-child + dd')).toHaveText('Over 65 years');
  const share = await page
    .locator('dd', { hasText: 'Over 65 years' })
    .locator('svg')
    .evaluate(
      (bar) =>
        (bar.firstElementChild as SVGElement).getBoundingClientRect().width / bar.clientWidth,
    );
  expect(share).toBeCloseTo(0.85, 2);
});

test('the progress bar is as wide as the page is scrolled', async ({ page }) => {
  await page.goto('/');
  await settle(page);
  const bar = page.locator('[data-progress]');
  const share = () =>
    bar.evaluate(
      (element) => element.getBoundingClientRect().width / document.documentElement.clientWidth,
    );
  expect(await share()).toBe(0);
  for (const part of [0.5, 1, 0.25]) {
    await page.evaluate((to) => {
      const { scrollHeight, clientHeight } = document.documentElement;
      scrollTo({ top: to * (scrollHeight - clientHeight), behavior: 'instant' });
    }, part);
    await expect.poll(share).toBeCloseTo(part, 2);
  }
  // A page that grows below is scrolled less far, even without scrolling.
  await page.evaluate(() => {
    document.querySelector('footer')?.style.setProperty('padding-bottom', '5000px');
  });
  await expect.poll(share).toBeLessThan(0.2);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the progress bar is visible on the ground of every section (${colorScheme})`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    await settle(page);
    const bar = page.locator('[data-progress]');
    const sections = page.locator('main section');
    for (let i = 0; i < (await sections.count()); i++) {
      await sections.nth(i).evaluate((section) => {
        section.scrollIntoView({ behavior: 'instant' });
        scrollBy({ top: 20, behavior: 'instant' });
      });
      const options = {
        clip: { x: 0, y: 0, width: 1280, height: 12 },
        animations: 'disabled',
      } as const;
      const withBar = await page.screenshot(options);
      const { width = 0 } = (await bar.boundingBox()) ?? {};
      await bar.evaluate((element) => element.style.setProperty('visibility', 'hidden'));
      const without = await page.screenshot(options);
      await bar.evaluate((element) => element.style.removeProperty('visibility'));
      expect.soft(width, `section ${i}`).toBeGreaterThan(0);
      expect.soft(visiblyChanged(withBar, without), `section ${i}`).toBeGreaterThan(width);
    }
  });
}

for (const [name, anchor] of Object.entries(FOOTER_BUTTONS)) {
  test(`the footer's "${name}" brings its section into view, and the focus with it`, async ({
    page,
  }) => {
    await page.goto('/');
    await page.locator('footer').getByRole('link', { name, exact: true }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(anchor);
    await expect(page.locator(`[id="${anchor}"]`)).toBeInViewport();
    expect(
      await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior),
    ).toBe('smooth');
  });
}

test('without the form, the page has at most 30 Tab stops', async ({ page }) => {
  await page.goto('/');
  await settle(page);
  const atStart = () => page.evaluate(() => document.activeElement === document.body);
  let stops = 0;
  do {
    await page.keyboard.press('Tab');
    stops++;
  } while (!(await atStart()) && stops <= 40);
  // The last press leaves the page.
  expect(stops - 1).toBeGreaterThan(15);
  expect(stops - 1).toBeLessThanOrEqual(30);
});

test.describe('any other path', () => {
  // Chromium reports the document's own status as an error of the page.
  test.use({ expectedComplaints: /404 \(Not Found\)/ });

  for (const path of ['/nothing-here', '/about/', '/index.php?x=1']) {
    test(`${path} is the 404 card, with status 404, and a way home`, async ({ page }) => {
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
      await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
      await page.getByRole('link', { name: 'Back to the start' }).click();
      await expect(page.locator('[data-cta=hero]')).toBeVisible();
    });
  }

  test('the 404 card leads to the answers, and to the other language', async ({ page }) => {
    for (const [path, help, other] of [
      ['/nothing-here', /\/help\/$/, /\/es\/$/],
      ['/es/nothing-here', /\/es\/help\/$/, /\/$/],
    ] as const) {
      await page.goto(path);
      await page.locator('main a[href$="/help/"]').click();
      await page.waitForURL(help);
      await page.goto(path);
      await page.locator('main a[hreflang]').click();
      await page.waitForURL(other);
      await expect(page.locator('[data-cta=hero]')).toBeVisible();
    }
  });
});

test('the hero asks for the counts every 30 seconds, and not while it is hidden', async ({
  page,
}) => {
  let polls = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/stats')) polls++;
  });
  await page.clock.install();
  await page.goto('/');
  await settle(page);
  await page.clock.runFor(3000);
  await expect.poll(() => polls).toBe(1);
  await page.clock.runFor(30_000);
  await expect.poll(() => polls).toBe(2);

  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.clock.runFor(120_000);
  expect(polls).toBe(2);
});

test('untouched, the page asks for the counts once the first poll is due', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  const asked = page.waitForRequest('**/api/stats');
  await page.clock.runFor(30_000);
  await asked;
});

test('there is no form unless the site turns it on', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('form')).toHaveCount(0);
});
