/**
 * §1, §2 and §9: the landing page's first screen, its progress bar, its ways, its number of
 * presses, and the 404 card.
 */

import { LANGUAGES, pathIn } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { visiblyChanged } from '../helpers/browser/image-diff.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import {
  allAwake,
  fontsLoaded,
  islandsInViewReady,
  layoutShift,
  nothingMoves,
} from '../helpers/browser/page-waits.ts';
import { print } from '../helpers/browser/paper.ts';
import { missingIn } from '../helpers/browser/site-pages.ts';
import { BUILDS } from '../helpers/run/build-sites.ts';
import { expect, test, WITH_MOTION } from './fixtures.ts';

// Chromium reports the 404 card's own status as an error of the page.
test.use({ ...WITH_MOTION, expectedComplaints: /404 \(Not Found\)/ });

test('§1: the bar is filled to 85 %, and there is no form; T1: at most 30 Tab stops', async ({
  page,
}) => {
  await page.goto('/');
  await islandsInViewReady(page);
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
  // keyboard.spec.ts shows that Tab reaches exactly these.
  const stops = await page.evaluate(({ controls }) => controls().length, await pageLook(page));
  expect(stops).toBeLessThanOrEqual(30);
});

test('§2: the progress bar is as wide as the page is scrolled', async ({ page }) => {
  await page.goto('/');
  await islandsInViewReady(page);
  const bar = page.locator('[data-progress]');
  for (const part of [0, 0.5, 1, 0.25]) {
    await page.evaluate((to) => {
      const { scrollHeight, clientHeight } = document.documentElement;
      scrollTo({ top: to * (scrollHeight - clientHeight), behavior: 'instant' });
    }, part);
    const share = () =>
      bar.evaluate(
        (element) => element.getBoundingClientRect().width / document.documentElement.clientWidth,
      );
    await expect.poll(share).toBeCloseTo(part, 2);
  }
});

test('the progress bar shows on every section', async ({ page }) => {
  await page.goto('/');
  await islandsInViewReady(page);
  const bar = page.locator('[data-progress]');
  const clip = { x: 0, y: 0, width: 1280, height: 12 };
  for (const [i, section] of (await page.locator('main section').all()).entries()) {
    await page.emulateMedia({ colorScheme: i % 2 === 0 ? 'light' : 'dark' });
    await section.evaluate((element) => {
      element.scrollIntoView({ behavior: 'instant' });
      scrollBy({ top: 20, behavior: 'instant' });
    });
    await expect.poll(async () => (await bar.boundingBox())?.width).toBeGreaterThan(0);
    const { width = 0 } = (await bar.boundingBox()) ?? {};
    const withBar = await page.screenshot({ clip, animations: 'disabled' });
    await bar.evaluate((element) => element.style.setProperty('visibility', 'hidden'));
    const without = await page.screenshot({ clip, animations: 'disabled' });
    await bar.evaluate((element) => element.style.removeProperty('visibility'));
    expect.soft(visiblyChanged(withBar, without), `section ${i}`).toBeGreaterThan(width);
  }
});

test('§2: each button of the footer leads to its section', async ({ page }) => {
  await page.goto('/');
  for (const name of ['About', 'How It Works', 'Benefits', 'Register']) {
    await page.locator('footer').getByRole('link', { name, exact: true }).click();
    const section = page.locator(`#${name.toLowerCase().replaceAll(' ', '-')}`);
    await expect(section).toBeFocused();
    await expect(section).toBeInViewport();
  }
  await expect(page.locator('html')).toHaveCSS('scroll-behavior', 'smooth');
});

test('T10: without a portal and a ref, paper has the whole address of its stand-in', async ({
  page,
}) => {
  await page.goto('/');
  await islandsInViewReady(page);
  const { printed } = await print(page, { format: 'Letter' });
  const { siteUrl, signUpUrl } = readSiteConfig(BUILDS.tracked);
  expect(printed.split(siteUrl + signUpUrl)).toHaveLength(3);
});

test('§2: any other path is the 404 card, which leads on in its language', async ({ page }) => {
  for (const path of ['/nothing-here', '/index.php?x=1']) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  }
  const card = page.getByRole('main');
  await expect(card.locator('a[href="/help/"]')).toBeVisible();
  // T10: paper has no ground and little room, so its words would touch an edge.
  await page.emulateMedia({ media: 'print' });
  await expect(card.locator('> div')).toHaveCSS('border-top-width', '0px');
  await page.emulateMedia({ media: null });
  await page.goto(missingIn('es'));
  await expect(card.locator('a[href="/es/help/"]')).toBeVisible();
  await card.getByRole('link', { name: 'Volver al inicio' }).click();
  await page.waitForURL('/es/');
});

for (const language of LANGUAGES) {
  test(`the first screen (${language}) has button and facts, with answers`, async ({
    page,
    world,
  }) => {
    const landing = pathIn(language, '/');
    await page.setViewportSize({ width: 320, height: 504 });
    await page.goto(landing);
    await fontsLoaded(page);
    await expect(page.locator('[data-cta=hero]')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 844, height: 390 });
    await expect(page.locator('[data-cta=hero]')).toBeInViewport({ ratio: 1 });
    const facts = page.getByRole('main').getByRole('list').first().getByRole('link');
    await expect(facts).toHaveCount(4);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const fact of await facts.all()) await expect(fact).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1366, height: 768 });
    for (const fact of await facts.all()) {
      await expect(fact).toBeInViewport({ ratio: 1 });
      const [path = '', anchor] = (await fact.getAttribute('href'))?.split('#') ?? [];
      expect(path.startsWith(`${landing}help/`)).toBe(true);
      const answer = await fetch(`http://127.0.0.1:${world.site.port}${path}`);
      expect(await answer.text()).toContain(anchor ? `id="${anchor}"` : '<h1');
    }
  });
}

const STATS = '**/api/stats';

test('the hero says how often people pressed, and nothing moves', async ({ page }) => {
  let total = 499;
  await page.route(STATS, (route) => {
    const clicks = { total, by_event: {}, per_day: [] };
    return route.fulfill({ json: { clicks, registrations: { total: null } } });
  });
  await page.goto('/');
  const counted = page.waitForResponse(STATS);
  await islandsInViewReady(page);
  await counted;
  await expect(page.getByText(/The button has been pressed/)).toHaveCount(0);

  total = 12_345;
  for (const [width, path, sentence] of [
    [320, '/es/', 'el botón se ha pulsado al menos 12,345 veces'],
    [1440, '/', 'The button has been pressed at least 12,345 times'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(path);
    // As a browser's translator does.
    await page.evaluate(() => document.documentElement.setAttribute('lang', 'fr'));
    await fontsLoaded(page);
    await nothingMoves(page);
    const shifted = await layoutShift(page);
    const before = await page.locator('#about').boundingBox();
    await islandsInViewReady(page);
    await expect(page.getByText(sentence)).toBeVisible();
    expect(await page.locator('#about').boundingBox()).toEqual(before);
    expect(await layoutShift(page)).toBe(shifted);
  }
});

test('§9: the hero asks every 30 s, and not while hidden', async ({ page }) => {
  let asked = 0;
  await page.route(STATS, (route) => {
    asked++;
    return route.continue();
  });
  await page.clock.install();
  await page.goto('/');
  await allAwake(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  const answered = page.waitForResponse(STATS);
  for (const before = asked; asked === before; ) await page.clock.runFor(1000);
  await answered;
  const before = asked;
  await page.clock.runFor(27_000);
  expect(asked).toBe(before);
  const again = page.waitForResponse(STATS);
  await page.clock.runFor(6_000);
  await again;
  expect(asked).toBe(before + 1);

  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.clock.runFor(120_000);
  expect(asked).toBe(before + 1);
});

test('§9: answers of another shape neither stop the polling nor show a number', async ({
  page,
}) => {
  const shapes = [{}, [], null, { clicks: null }, { clicks: { total: 'many' } }, { clicks: 5 }];
  let asked = 0;
  await page.route(STATS, (route) => {
    asked++;
    return route.fulfill({ json: shapes[asked % shapes.length] });
  });
  await page.clock.install();
  await page.goto('/');
  await allAwake(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  for (const _ of shapes) {
    const before = asked;
    const answered = page.waitForResponse(STATS);
    await page.clock.runFor(31_000);
    await answered;
    expect(asked).toBe(before + 1);
  }
  await expect(page.locator('[data-stats]')).toHaveText('');
});
