/** §1: how the page looks: the signal line, blocked images, longer words, and the film with its captions. */
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { pathIn } from '#contract/language.ts';
import {
  faultBetween,
  linePieces,
  linesOfHeadline,
  type Piece,
  wordsOnDrawing,
} from '../helpers/browser/drawn-parts.ts';
import { drawnCaption, firstCaption, showsCaption, toggleFilm } from '../helpers/browser/film.ts';
import { lengthenTexts } from '../helpers/browser/page-layout.ts';
import { calm, wake } from '../helpers/browser/page-steps.ts';
import { quiet } from '../helpers/browser/page-waits.ts';
import { expect, test } from './fixtures.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('the signal line is one line at every width', async ({ page }) => {
  await page.goto('/');
  await wake(page);
  for (const width of [320, 390, 820, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await calm(page);
    const pieces = await linePieces(page);
    expect.soft(pieces.length, `${width} px`).toBeGreaterThan(10);
    const faults = pieces.slice(1).map((piece, i) => faultBetween(pieces[i] as Piece, piece));
    expect.soft(faults.filter(Boolean), `${width} px`).toEqual([]);
  }
});

test.describe('where images are blocked', () => {
  test.use({ expectedComplaints: /Failed to load resource|ERR_FAILED/ });

  test('no gap is left for them, and the film can still be started', async ({ page }) => {
    await page.route(/\.svg$/, (route) => route.abort());
    await page.goto('/');
    await wake(page);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(page.locator('main img')).toHaveCount(8);
      await expect(page.locator('main img:visible')).toHaveCount(0);
    }
    await toggleFilm(page);
    await expect(page.locator('video')).toHaveJSProperty('paused', false);
  });

  test.describe('and no script runs', () => {
    test.use({ javaScriptEnabled: false });

    test('their places are empty ground, without a broken sign', async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 900 });
      await page.route(/\.svg$/, (route) => route.abort());
      await page.goto('/');
      const drawings = page.locator('main picture img').filter({ visible: true });
      await expect(drawings).toHaveCount(7);
      for (const drawing of await drawings.all()) {
        await drawing.scrollIntoViewIfNeeded();
        const isBroken = () =>
          drawing.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth === 0);
        await expect.poll(isBroken).toBe(true);
        // The outermost pixels may be mixed with the surroundings, and the line runs along the edge of some.
        const EDGE_PX = 12;
        const { x = 0, y = 0, width = 0, height = 0 } = (await drawing.boundingBox()) ?? {};
        const clip = {
          x: x + EDGE_PX,
          y: y + EDGE_PX,
          width: width - 2 * EDGE_PX,
          height: height - 2 * EDGE_PX,
        };
        const { data } = PNG.sync.read(await page.screenshot({ clip }));
        const colors = new Set<number>();
        for (let at = 0; at < data.length; at += 4) colors.add(data.readUIntBE(at, 3));
        expect.soft(colors.size).toBe(1);
      }
    });
  });
});

test('longer words stay clear of the hero’s drawing', async ({ page }) => {
  const WIDTHS = [1024, 1280, 1440, 1920];
  await page.goto('/');
  await wake(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft(await linesOfHeadline(page), `${width} px`).toBe(2);
  }
  await lengthenTexts(page, 0.45);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft(await linesOfHeadline(page), `${width} px`).toBeGreaterThan(2);
    expect.soft(await wordsOnDrawing(page), `${width} px`).toEqual([]);
  }
});

const MIN_CAPTION_PX = 16;

for (const [language, labels] of [
  ['en', ['English', 'Español']],
  ['es', ['Español', 'English']],
] as const) {
  test(`the film (${language}) loads on demand, with legible captions`, async ({ page }) => {
    const films: string[] = [];
    page.on('request', (request) => request.url().endsWith('.mp4') && films.push(request.url()));
    await page.goto(pathIn(language, '/'));
    await wake(page);
    await quiet(page);
    expect(films).toEqual([]);
    const film = page.locator('video');
    await toggleFilm(page);
    await expect.poll(() => showsCaption(page)).toEqual([firstCaption(language)]);
    expect(films).not.toEqual([]);
    const tracks = film.evaluate(({ textTracks }: HTMLVideoElement) =>
      [...textTracks].map(({ label, mode }) => [label, mode]),
    );
    expect(await tracks).toEqual([
      [labels[0], 'showing'],
      [labels[1], 'disabled'],
    ]);
    if (language === 'es') {
      await expect(page.getByText('Las palabras del video están en inglés')).toBeVisible();
    }
    await toggleFilm(page);
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await film.scrollIntoViewIfNeeded();
      await expect(async () => {
        const { fontPx, outsidePx } = await drawnCaption(page);
        expect(fontPx).toBeGreaterThanOrEqual(MIN_CAPTION_PX);
        expect(outsidePx, `pixels outside of the film at ${width} px`).toBeLessThanOrEqual(0);
      }).toPass();
    }
  });
}

for (const [colorScheme, javaScriptEnabled, poster, film] of [
  ['light', true, [240, 255], [240, 255]],
  ['dark', false, [0, 40], [100, 190]],
] as const) {
  test.describe(() => {
    test.use({ colorScheme, javaScriptEnabled });

    test(`in ${colorScheme} mode poster and film do not glare`, async ({ page }) => {
      await page.goto('/');
      await expect.poll(async () => within(await brightness(page), poster)).toBe(true);
      await toggleFilm(page);
      await expect.poll(() => showsCaption(page)).not.toEqual([]);
      await expect.poll(async () => within(await brightness(page), film)).toBe(true);
    });
  });
}

const within = (value: number, [min, max]: readonly [number, number]) =>
  value >= min && value <= max;

/** The red channel of a point near the top left corner, which is plain ground in the poster and in the first scene. */
async function brightness(page: Page): Promise<number> {
  const POINT = 20;
  const { data, width } = PNG.sync.read(await page.locator('video').screenshot());
  return data[4 * (POINT * width + POINT)] ?? 0;
}
