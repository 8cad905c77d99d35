/** §1, §4: what moves in, once; and what a visitor sees who does not scroll, on a capture of the whole page and in print. */

import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { allMoves, timesMoved, watchMoves } from '../helpers/browser/moves.ts';
import { calm, scrollThrough, wake } from '../helpers/browser/page-steps.ts';
import { lettered, shifts, started } from '../helpers/browser/page-waits.ts';
import { unpaintedTexts } from '../helpers/browser/painted-texts.ts';
import { expect, test } from './fixtures.ts';

/** Parts that the specification and the design name, with their selectors. Each may match several elements. */
const NAMED = {
  'the hero’s words': 'div[data-arrive] > :is(p:has(+ h1), h1, h1 + p)',
  'the hero’s drawing': 'svg[data-arrive] > :is(g:last-child, [stroke-dasharray])',
  headings: 'main h2',
  introductions: 'main h2 + p',
  drawings: 'main picture img[data-reveal]',
  'blocks of words': 'main section ~ section ul > li, main figure, main ol > li > div',
  'the film': 'div:has(+ div > video) > div, div:has(> video)',
  'the closing': 'section[aria-labelledby=register] :is(h2, h2 + p, img)',
};

/** How far an element may move by itself, in CSS pixels. */
const MAX_TRAVEL_PX = 12;

/** Opens the page with its reveals armed, as for a visitor who has not scrolled yet. */
async function arrive(page: Page, path = '/'): Promise<void> {
  await page.addInitScript(watchMoves);
  await page.goto(path);
  await started(page);
  await expect(page.locator('[data-reveal=""]')).toHaveCount(0);
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`§1: at ${viewport.width} px each part moves in once`, async ({ page }) => {
    await page.setViewportSize(viewport);
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
    expect(await shifts(page)).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await calm(page);
    await page.emulateMedia({ media: null });
    await calm(page);
    for (const [part, selector] of Object.entries(NAMED)) {
      const times = await timesMoved(page, selector);
      expect.soft(times.length, part).toBeGreaterThan(1);
      expect.soft(times, part).toEqual(times.map(() => 1));
    }
    for (const { property, px } of await allMoves(page)) {
      expect.soft(property).toMatch(/^(translate|stroke-dashoffset)$/);
      expect.soft(px).toBeLessThanOrEqual(MAX_TRAVEL_PX);
    }
    await expect(page.locator('[data-reveal]:not([data-reveal=shown])')).toHaveCount(0);
  });
}

test('elements that were in view do not move later', async ({ page, world }) => {
  await page.addInitScript(watchMoves);
  world.slow.hold(/\.js$/);
  await page.goto(world.slow.url, { waitUntil: 'domcontentloaded' });
  await page.evaluate(() =>
    document.querySelector('#impact')?.scrollIntoView({ behavior: 'instant' }),
  );
  world.slow.release();
  await started(page);
  await expect(page.locator('[data-reveal=""]')).toHaveCount(0);
  await scrollThrough(page);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await calm(page);
  const passed = '#about, #how-it-works, figure[aria-labelledby=story], #impact';
  expect(await timesMoved(page, passed)).toEqual([0, 0, 0, 0]);
  expect(await timesMoved(page, '#register')).toEqual([1]);
});

test('T10: in print nothing moves or waits', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
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
  test(`a capture of ${path} at ${width} px is complete`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await arrive(page, path);
    await lettered(page);
    await expect.poll(() => blankImages(page)).toEqual([]);
    await expect(page.locator('[data-reveal=waiting]').first()).toBeAttached();
    // The road of the poster. It is decoded after the browser has asked for it.
    const box = await page.locator('video').evaluate((video) => video.getBoundingClientRect());
    const clip = { x: box.x + 20, y: box.y + 0.75 * box.height, width: 20, height: 40 };
    const road = async () => [
      ...PNG.sync.read(await page.screenshot({ fullPage: true, clip })).data.subarray(0, 3),
    ];
    await expect.poll(road).toEqual([0xdc, 0xd0, 0xe8]);
    expect(await unpaintedTexts(page)).toEqual([]);
    await page.goto('/help/easy/');
    await expect.poll(() => blankImages(page)).toEqual([]);
  });
}

test('with Data Saver on, far images do not load', async ({ page }) => {
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
