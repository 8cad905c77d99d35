/**
 * §1, §4: how the page looks: the signal line, what moves in once, what a capture shows without
 * scrolling, and the film.
 */
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { pathIn } from '#contract/language.ts';
import { firstCaption, shownCaptions, toggleFilm } from '../helpers/browser/film.ts';
import { allMoves, timesMoved, watchMoves } from '../helpers/browser/moves.ts';
import { unseenWords, widenSpacing } from '../helpers/browser/page-layout.ts';
import {
  allAwake,
  fontsLoaded,
  layoutShift,
  moduleRan,
  nothingMoves,
  scrollThrough,
} from '../helpers/browser/page-waits.ts';
import { expect, test, WITH_MOTION } from './fixtures.ts';

test.use(WITH_MOTION);

/** Gaps of the signal line, in CSS pixels. A step's number covers the gap of 1rem above it. */
const lineGaps = (page: Page) =>
  page.evaluate(() => {
    const pieces = [...document.querySelectorAll<SVGElement>('svg[preserveAspectRatio=none]')]
      // The footer's road is a line of its own: it comes out of the drawing of the closing.
      .filter((line) => line.checkVisibility() && !line.closest('footer'))
      .map((line) => {
        const path = line.querySelector('path') as SVGPathElement;
        const matrix = path.getScreenCTM() as DOMMatrix;
        const placeAt = (length: number) => path.getPointAtLength(length).matrixTransform(matrix);
        return [placeAt(0), placeAt(path.getTotalLength())].sort((a, b) => a.y - b.y);
      })
      .sort(([a], [b]) => (a?.y ?? 0) - (b?.y ?? 0));
    return pieces.slice(1).map(([start], i) => {
      const end = pieces[i]?.[1];
      return { down: (start?.y ?? 0) - (end?.y ?? 0), aside: (start?.x ?? 0) - (end?.x ?? 0) };
    });
  });

for (const path of ['/', '/help/questions/'])
  test(`the signal line of ${path} is one line at every width, also with wide text spacing`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(path);
    await (path === '/' ? allAwake(page) : moduleRan(page));
    const expectOneLine = async (what: string) => {
      for (const width of [320, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await nothingMoves(page);
        const gaps = await lineGaps(page);
        expect.soft(gaps.length, what).toBeGreaterThan(9);
        const faults = gaps.filter(
          ({ down, aside }) => down < -2.5 || down > 18.5 || Math.abs(aside) > 4.5,
        );
        expect.soft(faults, `${what} at ${width} px`).toEqual([]);
      }
    };
    await expectOneLine('as it is');
    await widenSpacing(page);
    await expectOneLine('with wide text spacing');
  });

/**
 * Parts that the specification and the design name, with their selectors. Each may match several
 * elements.
 */
const NAMED = {
  'the hero’s words': 'div[data-arrive] > :is(p:has(+ h1), h1, h1 + p)',
  'the hero’s drawing': 'svg[data-arrive] > :is(g:last-child, [stroke-dasharray])',
  headings: 'main section > div div:has(> h2)',
  'headings with a sentence': 'main section > div div:has(> h2 + p)',
  drawings: 'main picture img[data-reveal]',
  'blocks of words': 'main section ~ section ul > li, main figure, main ol > li > div',
  'the film': 'div:has(+ div > video), div:has(> video)',
  'the closing': '[data-ground=call] :is(div:has(> h2 + p), img)',
};
/** How far an element may move by itself, in CSS pixels. */
const MAX_TRAVEL_PX = 24;

test('§1: each part moves in once', async ({ page }) => {
  await page.addInitScript(watchMoves);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await moduleRan(page);
  await nothingMoves(page);
  // Elements that wait next to their places must not make the page wider.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await timesMoved(page, NAMED['the closing'])).toEqual([0, 0]);

  // As a visitor begins to scroll: the helpers jump, and parts in view at the first step do not
  // move.
  await page.mouse.wheel(0, 1);
  await nothingMoves(page);
  await allAwake(page);
  await scrollThrough(page);
  expect(await layoutShift(page)).toBe(0);
  await page.emulateMedia({ media: 'print' });
  await nothingMoves(page);
  await page.emulateMedia({ media: null });
  await nothingMoves(page);
  for (const [part, selector] of Object.entries(NAMED)) {
    const times = await timesMoved(page, selector);
    expect.soft(times.length, part).toBeGreaterThan(1);
    expect.soft(times, part).toEqual(times.map(() => 1));
  }
  for (const { property, px } of await allMoves(page)) {
    expect.soft(property).toMatch(/^(translate|stroke-dashoffset)$/);
    expect.soft(px).toBeLessThanOrEqual(MAX_TRAVEL_PX);
  }
});

test('the first paint does not wait for the hero’s entrance', async ({ page }) => {
  await page.addInitScript(watchMoves);
  await page.goto('/');
  await expect.poll(() => timesMoved(page, NAMED['the hero’s words'])).toEqual([1, 1, 1]);
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  for (const { at } of await allMoves(page)) expect(at).toBeGreaterThan(paint ?? Infinity);
});

for (const [width, path] of [
  [390, '/es/'],
  [1280, '/'],
] as const) {
  test(`a capture of ${path} at ${width} px is complete`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(path);
    await moduleRan(page);
    await fontsLoaded(page);
    await expect.poll(() => blankImages(page)).toEqual([]);
    // Nothing waits before the first scrolling.
    await expect(page.locator('[data-reveal=waiting], [data-road=waiting]')).toHaveCount(0);
    expect(await unseenWords(page)).toEqual([]);
    // The road of the poster. It is decoded after the browser has asked for it.
    const box = await page.locator('video').evaluate((video) => video.getBoundingClientRect());
    const clip = { x: box.x + 20, y: box.y + 0.75 * box.height, width: 20, height: 40 };
    const road = async () => [
      ...PNG.sync.read(await page.screenshot({ fullPage: true, clip })).data.subarray(0, 3),
    ];
    await expect.poll(road).toEqual([0xdc, 0xd0, 0xe8]);
  });
}

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

for (const [language, labels, colorScheme, scene] of [
  ['en', ['English', 'Español'], 'light', [240, 255]],
  ['es', ['Español', 'English'], 'dark', [100, 190]],
] as const) {
  test(`the film (${language}, ${colorScheme}) loads on demand, with captions, and does not glare`, async ({
    page,
  }) => {
    const films: string[] = [];
    page.on('request', (request) => request.url().endsWith('.mp4') && films.push(request.url()));
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(pathIn(language, '/'));
    await allAwake(page);
    expect(films).toEqual([]);
    await toggleFilm(page);
    await expect.poll(() => page.evaluate(shownCaptions)).toEqual([firstCaption(language)]);
    await toggleFilm(page);
    const [darkest, brightest] = scene;
    await expect.poll(() => brightness(page)).toBeLessThanOrEqual(brightest);
    expect(await brightness(page)).toBeGreaterThanOrEqual(darkest);
    const tracks = page
      .locator('video')
      .evaluate(({ textTracks }: HTMLVideoElement) =>
        [...textTracks].map(({ label, mode }) => [label, mode]),
      );
    expect(await tracks).toEqual([
      [labels[0], 'showing'],
      [labels[1], 'disabled'],
    ]);
    expect(films).toEqual([
      expect.stringMatching(language === 'es' ? /film-es\.mp4$/ : /film\.mp4$/),
    ]);
  });
}

/**
 * The red channel of a point near the film's top left corner, which is plain ground in the first
 * scene.
 */
async function brightness(page: Page): Promise<number> {
  const POINT = 20;
  const { data, width } = PNG.sync.read(await page.locator('video').screenshot());
  return data[4 * (POINT * width + POINT)] ?? 0;
}
