import type { Page } from '@playwright/test';
import { calm, scrollThrough, started, wake } from '../helpers/browser/page-steps.ts';
import { unpaintedTexts } from '../helpers/browser/painted-texts.ts';
import { expect, lettered, test } from './fixtures.ts';

/** Parts that the specification and the design name, with their selectors. Each may match several elements. */
const NAMED = {
  'the hero’s words': 'div[data-arrive] > :is(p:has(+ h1), h1, h1 + p)',
  'the hero’s drawing': 'svg[data-arrive] > :is(g:last-child, [stroke-dasharray])',
  headings: 'main h2',
  introductions: 'main h2 + p',
  drawings: 'main picture img[data-reveal]',
  'blocks of words': 'main section ~ section ul > li, main figure, main ol > li > div',
  'the film': 'div:has(+ div > video), div:has(> video)',
  'the closing': 'section[aria-labelledby=register] :is(h2, h2 + p, img)',
};

/** How far an element may move by itself, in CSS pixels. */
const MAX_TRAVEL_PX = 12;

interface Move {
  element: Element;
  property: string;
  px: number;
}
type Watched = Window & { moves: Move[] };

/** Records every transition and animation of the visit. */
async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moves: Move[] = [];
    Object.assign(window, { moves });
    const record = (element: Element, property: string) => {
      const px = getComputedStyle(element)
        .translate.split(' ')
        .map((part) => Math.abs(Number.parseFloat(part) || 0));
      moves.push({ element, property, px: Math.max(...px) });
    };
    document.addEventListener('transitionrun', ({ target, propertyName }) => {
      if (propertyName !== 'background-color') record(target as Element, propertyName);
    });
    document.addEventListener('animationstart', ({ target, animationName }) => {
      record(target as Element, animationName);
    });
  });
}

/** How often each visible element that the selector matches has moved. */
const timesMoved = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate((selector) => {
    const { moves } = window as unknown as Watched;
    return [...document.querySelectorAll(selector)]
      .filter((element) => element.checkVisibility())
      .map((element) => moves.filter((move) => move.element === element).length);
  }, selector);

const allMoves = (page: Page): Promise<{ property: string; px: number; tag: string }[]> =>
  page.evaluate(() =>
    (window as unknown as Watched).moves.map(({ property, px, element }) => ({
      property,
      px,
      tag: `${element.tagName}.${element.getAttribute('class')}`,
    })),
  );

/** Opens the page with its reveals armed, as for a visitor who has not scrolled yet. */
async function arrive(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await started(page);
  await expect(page.locator('[data-reveal=""]')).toHaveCount(0);
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`at ${viewport.width} px the hero, headings, drawings, the film and the closing move in once`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await watchMoves(page);
    await arrive(page);
    await calm(page);
    // Elements that wait next to their places must not make the page wider.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    for (const part of ['the hero’s words', 'the hero’s drawing'] as const) {
      const times = await timesMoved(page, NAMED[part]);
      expect(times.length, part).toBeGreaterThan(2);
      expect(times, part).toEqual(times.map(() => 1));
    }
    expect(await timesMoved(page, NAMED['the closing'])).toEqual([0, 0, 0]);

    await wake(page);
    await scrollThrough(page);
    expect(await layoutShift(page)).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await calm(page);
    await page.emulateMedia({ media: null });
    await calm(page);
    for (const [part, selector] of Object.entries(NAMED)) {
      const times = await timesMoved(page, selector);
      expect.soft(times.length, part).toBeGreaterThan(1);
      expect.soft(times, part).toEqual(times.map(() => 1));
    }
    for (const { property, px, tag } of await allMoves(page)) {
      expect.soft(property, tag).toMatch(/^(translate|stroke-dashoffset)$/);
      expect.soft(px, tag).toBeLessThanOrEqual(MAX_TRAVEL_PX);
    }
    await expect(page.locator('[data-reveal]:not([data-reveal=shown])')).toHaveCount(0);
  });
}

test('elements in view at the start, or passed before the script loaded, do not move later', async ({
  page,
  world,
}) => {
  await watchMoves(page);
  world.slow.hold(/\.js$/);
  await page.goto(world.slow.url);
  await page.evaluate(() =>
    document.querySelector('#impact')?.scrollIntoView({ behavior: 'instant' }),
  );
  world.slow.release();
  await started(page);
  await expect(page.locator('[data-reveal=""]')).toHaveCount(0);
  await scrollThrough(page);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await calm(page);
  expect(
    await timesMoved(page, '#about, #how-it-works, figure[aria-labelledby=story], #impact'),
  ).toEqual([0, 0, 0, 0]);
  expect(await timesMoved(page, '#register')).toEqual([1]);
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing moves', async ({ page }) => {
    await watchMoves(page);
    await arrive(page);
    await wake(page);
    expect(await allMoves(page)).toEqual([]);
  });
});

test('in print nothing moves, and waiting elements are in their places', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await watchMoves(page);
  await arrive(page);
  await calm(page);
  expect(await allMoves(page)).toEqual([]);
  await expect(page.locator('[data-reveal=waiting]').first()).toBeAttached();
  const places = await page
    .locator('[data-reveal]')
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).translate));
  expect(new Set(places)).toEqual(new Set(['none']));
});

for (const [width, path] of [
  [390, '/es/'],
  [1280, '/'],
] as const) {
  test(`a capture of the whole page ${path} at ${width} px, without scrolling, shows every text and every image`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await arrive(page, path);
    await lettered(page);
    await expect.poll(() => blankImages(page)).toEqual([]);
    await expect(page.locator('[data-reveal=waiting]').first()).toBeAttached();
    const picture = await page.screenshot({ fullPage: true });
    expect(await unpaintedTexts(page, picture)).toEqual([]);
  });
}

test('a help page loads its drawings without scrolling', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/help/easy/');
  await expect.poll(() => blankImages(page)).toEqual([]);
});

test('with Data Saver on, images far below the view do not load', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await arrive(page);
  await page.evaluate(
    () => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))),
  );
  expect(await blankImages(page)).toContainEqual(expect.stringContaining('closing'));
});

test.describe('where no script loads', () => {
  test.use({ expectedComplaints: /Failed to load resource/ });

  test('a capture of the whole page shows every text', async ({ page }) => {
    await page.route('**/*.js', (route) => route.abort());
    await page.goto('/');
    const picture = await page.screenshot({ fullPage: true });
    expect(await unpaintedTexts(page, picture)).toEqual([]);
  });
});

/** The addresses of images that have a place on the page and have not loaded. */
async function blankImages(page: Page): Promise<string[]> {
  const images = await page
    .locator('img')
    .filter({ visible: true })
    .evaluateAll((all: HTMLImageElement[]) =>
      all.map(({ src, naturalWidth }) => ({ src, naturalWidth })),
    );
  expect(images).not.toEqual([]);
  return images.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src);
}

/** The sum of all layout shifts since the visit began. */
const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        type LayoutShift = PerformanceEntry & { value: number };
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, entry) => sum + (entry as LayoutShift).value, 0)),
        ).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => setTimeout(() => resolve(0)));
      }),
  );
