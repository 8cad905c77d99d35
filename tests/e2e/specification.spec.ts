/** §1 and §2: the landing page's first screen, its progress bar, its ways, its languages, and the 404 card. */

import { LANGUAGES, pathIn } from '#contract/language.ts';
import { visiblyChanged } from '../helpers/browser/image-diff.ts';
import { lettered, settle } from '../helpers/browser/page-waits.ts';
import { missingIn } from '../helpers/browser/site-pages.ts';
import { expect, test } from './fixtures.ts';

// Chromium reports the 404 card's own status as an error of the page.
test.use({ expectedComplaints: /404 \(Not Found\)/ });

const FOOTER_BUTTONS: Record<string, string> = {
  About: 'about',
  'How It Works': 'how-it-works',
  Benefits: 'benefits',
  Register: 'register',
};

test('§1: the bar is filled to 85 %, and there is no form; T1: at most 30 Tab stops', async ({
  page,
}) => {
  await page.goto('/');
  await settle(page);
  await expect(page.locator('footer')).toContainText('2025');
  await expect(page.locator('#impact')).toHaveCount(1);
  await expect(page.locator('form, input')).toHaveCount(0);
  const share = await page
    .locator('dd', { hasText: 'Over 65 years' })
    .locator('svg')
    .evaluate((bar) => {
      const [filled] = bar.children;
      return (filled?.getBoundingClientRect().width ?? 0) / bar.clientWidth;
    });
  expect(share).toBeCloseTo(0.85, 2);

  const hasLeft = () => page.evaluate(() => document.activeElement === document.body);
  let stops = -1; // The last press leaves the page.
  do {
    await page.keyboard.press('Tab');
    stops++;
  } while (!(await hasLeft()) && stops <= 40);
  expect(stops).toBeGreaterThan(15);
  expect(stops).toBeLessThanOrEqual(30);
});

test('§2: the progress bar is as wide as the page is scrolled', async ({ page }) => {
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

test('the progress bar shows on every section, in light and dark', async ({ page }) => {
  await page.goto('/');
  await settle(page);
  const bar = page.locator('[data-progress]');
  const clip = { x: 0, y: 0, width: 1280, height: 12 };
  for (const [i, section] of (await page.locator('main section').all()).entries()) {
    await section.evaluate((element) => {
      element.scrollIntoView({ behavior: 'instant' });
      scrollBy({ top: 20, behavior: 'instant' });
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const withBar = await page.screenshot({ clip, animations: 'disabled' });
      const { width = 0 } = (await bar.boundingBox()) ?? {};
      await bar.evaluate((element) => element.style.setProperty('visibility', 'hidden'));
      const without = await page.screenshot({ clip, animations: 'disabled' });
      await bar.evaluate((element) => element.style.removeProperty('visibility'));
      expect.soft(width, `section ${i}`).toBeGreaterThan(0);
      expect.soft(visiblyChanged(withBar, without), `section ${i}`).toBeGreaterThan(width);
    }
  }
});

test('§2: each button of the footer leads to its section', async ({ page }) => {
  await page.goto('/');
  for (const [name, anchor] of Object.entries(FOOTER_BUTTONS)) {
    await page.locator('footer').getByRole('link', { name, exact: true }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(anchor);
    await expect(page.locator(`[id="${anchor}"]`)).toBeInViewport();
  }
  const behaviour = page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  expect(await behaviour).toBe('smooth');
});

test('a fragment and a reload keep the place', async ({ page }) => {
  const impact = page.locator('#impact');
  await page.goto('/#impact');
  await expect(impact).toBeInViewport();
  await page.goto('/');
  await impact.evaluate((section) => section.scrollIntoView({ behavior: 'instant' }));
  const before = await page.evaluate(() => scrollY);
  await page.reload();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
  await expect(impact).toBeInViewport();
});

test('§2: any other path is the 404 card, which leads on in its language', async ({ page }) => {
  for (const path of ['/nothing-here', '/about/', '/index.php?x=1']) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  }
  for (const [language, link, leadsTo] of [
    ['en', 'main a:has-text("Back to the start")', '/'],
    ['en', 'main a[href$="/help/"]', '/help/'],
    ['en', 'main a[hreflang]', '/es/'],
    ['es', 'main a[href$="/help/"]', '/es/help/'],
    ['es', 'main a[hreflang]', '/'],
    ['es', 'main a:has-text("Volver al inicio")', '/es/'],
  ] as const) {
    await page.goto(missingIn(language));
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await page.click(link);
    await page.waitForURL((url) => url.pathname === leadsTo);
  }
});

for (const language of LANGUAGES) {
  test(`the first screen (${language}) has button and facts, with answers`, async ({ page }) => {
    const landing = pathIn(language, '/');
    await page.setViewportSize({ width: 320, height: 568 });
    await page.goto(landing);
    await lettered(page);
    await expect(page.locator('[data-cta=hero]')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1366, height: 768 });
    const facts = page.getByRole('main').getByRole('list').first().getByRole('link');
    await expect(facts).toHaveCount(4);
    for (const fact of await facts.all()) await expect(fact).toBeInViewport({ ratio: 1 });
    const addresses = await facts.evaluateAll((links) =>
      (links as HTMLAnchorElement[]).map(({ href }) => href),
    );
    for (const address of addresses) {
      await page.goto(address);
      const { pathname, hash } = new URL(address);
      expect(pathname).toMatch(new RegExp(`^${landing}help/`));
      await expect(page.locator(hash || 'h1')).toBeInViewport();
    }
  });
}

test('the interactive parts of the Spanish page keep its language', async ({ page }) => {
  const stats = {
    clicks: { total: 12_345, by_event: {}, per_day: [] },
    registrations: { total: null },
  };
  await page.route('**/api/stats', (route) => route.fulfill({ json: stats }));
  await page.goto('/es/');
  const state = page.locator('[data-island=opt-out] p');
  const before = await state.innerText();
  await settle(page);
  await expect(page.getByText('el botón se ha pulsado 12,345 veces')).toBeVisible();
  await page.locator('footer').scrollIntoViewIfNeeded();
  const optOut = 'Desactivar el conteo en este dispositivo';
  await page.getByRole('button', { name: optOut }).waitFor();
  await expect(state).toContainText(before);
  await page.getByRole('button', { name: optOut }).click();
  await expect(page.getByRole('region', { name: 'Mensajes (F8)' })).toContainText(
    'El conteo está desactivado',
  );
});
