/** §1 and §2: the landing page's sections, its first screen, its progress bar, its ways, its languages, and the 404 card. */

import { LANGUAGES, pathIn } from '#contract/language.ts';
import { ANSWERS, HELP_PATHS } from '#words/help-paths.ts';
import { visiblyChanged } from '../helpers/browser/image-diff.ts';
import { lettered, settle } from '../helpers/browser/page-waits.ts';
import { missingIn } from '../helpers/browser/site-pages.ts';
import { expect, test } from './fixtures.ts';

// Chromium reports the 404 card's own status as an error of the page.
test.use({ expectedComplaints: /404 \(Not Found\)/ });

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

test('§1, §9: the sections, the bar, and no form', async ({ page }) => {
  await page.goto('/');
  const headings = await page.locator('main h2').allTextContents();
  expect(headings.filter((text) => HEADINGS.includes(text))).toEqual(HEADINGS);
  await expect(page.locator('[data-cta=hero]')).toContainText('Join the Drive');
  await expect(page.locator('footer')).toContainText('2025');
  for (const anchor of ANCHORS) await expect(page.locator(`[id="${anchor}"]`)).toHaveCount(1);

  await expect(page.locator('dl > *').first()).toHaveText(/what people hope for/);
  await expect(page.locator('dt:first-child + dd')).toHaveText('Over 65 years');
  const share = await page
    .locator('dd', { hasText: 'Over 65 years' })
    .locator('svg')
    .evaluate((bar) => {
      const [filled] = bar.children;
      return (filled?.getBoundingClientRect().width ?? 0) / bar.clientWidth;
    });
  expect(share).toBeCloseTo(0.85, 2);

  await expect(page.locator('form, input')).toHaveCount(0);
  const registered = await page.evaluate(async () => {
    const body = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' };
    const answer = await fetch('/api/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, agreedToTerms: true }),
    });
    return [answer.status, await answer.json()];
  });
  expect(registered, 'the API takes registrations all the same').toEqual([
    201,
    { status: 'registered' },
  ]);
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

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the progress bar shows on every section (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto('/');
    await settle(page);
    const bar = page.locator('[data-progress]');
    const clip = { x: 0, y: 0, width: 1280, height: 12 };
    for (const [i, section] of (await page.locator('main section').all()).entries()) {
      await section.evaluate((element) => {
        element.scrollIntoView({ behavior: 'instant' });
        scrollBy({ top: 20, behavior: 'instant' });
      });
      const withBar = await page.screenshot({ clip, animations: 'disabled' });
      const { width = 0 } = (await bar.boundingBox()) ?? {};
      await bar.evaluate((element) => element.style.setProperty('visibility', 'hidden'));
      const without = await page.screenshot({ clip, animations: 'disabled' });
      await bar.evaluate((element) => element.style.removeProperty('visibility'));
      expect.soft(width, `section ${i}`).toBeGreaterThan(0);
      expect.soft(visiblyChanged(withBar, without), `section ${i}`).toBeGreaterThan(width);
    }
  });
}

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

test('T1: without the form, the page has at most 30 Tab stops', async ({ page }) => {
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

test('§2: any other path is the 404 card', async ({ page }) => {
  for (const path of ['/nothing-here', '/about/', '/index.php?x=1']) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
    await page.getByRole('link', { name: 'Back to the start' }).click();
    await expect(page.locator('[data-cta=hero]')).toBeVisible();
  }
});

test('§2: the 404 card leads on, in its language', async ({ page }) => {
  const ways = [
    ['en', 'main a[href$="/help/"]', '/help/'],
    ['en', 'main a[hreflang]', '/es/'],
    ['es', 'main a[href$="/help/"]', '/es/help/'],
    ['es', 'main a[hreflang]', '/'],
    ['es', 'main a:has-text("Volver al inicio")', '/es/'],
  ] as const;
  for (const [language, link, leadsTo] of ways) {
    await page.goto(missingIn(language));
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await page.click(link);
    await page.waitForURL((url) => url.pathname === leadsTo);
  }
});

for (const language of LANGUAGES) {
  test(`the help pages (${language}) lead on`, async ({ page }) => {
    const [landing, hub, film, ...answers] = ['/', HELP_PATHS.hub, HELP_PATHS.film]
      .concat(ANSWERS.map((name) => HELP_PATHS[name]))
      .map((path) => pathIn(language, path));
    const pathsOf = (links: string) =>
      page
        .locator(links)
        .evaluateAll((found) => (found as HTMLAnchorElement[]).map(({ pathname }) => pathname));
    await page.goto(landing ?? '');
    expect(await pathsOf('main a')).toEqual(expect.arrayContaining([hub, film]));
    await page.goto(hub ?? '');
    expect(await pathsOf('main a')).toEqual(expect.arrayContaining(answers));
    for (const [i, path] of answers.entries()) {
      await page.goto(path);
      // After the last answer there is no next one.
      const ways = [...answers.slice(i + 1, i + 2), hub, landing];
      expect(await pathsOf('footer nav a')).toEqual(ways);
    }
  });

  test(`the first screen (${language}) has button and facts`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await page.goto(pathIn(language, '/'));
    await lettered(page);
    await expect(page.locator('[data-cta=hero]')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1366, height: 768 });
    const facts = page.getByRole('main').getByRole('list').first().getByRole('link');
    await expect(facts).toHaveCount(4);
    for (const fact of await facts.all()) await expect(fact).toBeInViewport({ ratio: 1 });
  });

  test(`each fact of the hero (${language}) has an answer`, async ({ page }) => {
    const landing = pathIn(language, '/');
    await page.goto(landing);
    const facts = page.getByRole('main').getByRole('list').first().getByRole('link');
    const hrefs = await facts.evaluateAll((links) =>
      links.map((link) => (link as HTMLAnchorElement).href),
    );
    expect(hrefs).toHaveLength(4);
    for (const href of hrefs) {
      await page.goto(href);
      const { pathname, hash } = new URL(href);
      expect(pathname).toMatch(new RegExp(`^${landing}help/`));
      await expect(page.locator(hash || 'h1')).toBeInViewport();
    }
  });
}

test('the Spanish page loads no other language', async ({ page }) => {
  const stats = {
    clicks: { total: 12_345, by_event: {}, per_day: [] },
    registrations: { total: null },
  };
  await page.route('**/api/stats', (route) => route.fulfill({ json: stats }));
  const scripts: string[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) scripts.push(await response.text());
  });
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
  expect(scripts.join()).toContain('Desactivar el conteo');
  expect(scripts.join()).not.toContain('Turn off counting on this device');
});
