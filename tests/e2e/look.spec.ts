/** §1: how the page looks: the signal line, blocked images, and the film with its captions. */
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { pathIn } from '#contract/language.ts';
import { faultBetween, linePieces, type Piece } from '../helpers/browser/drawn-parts.ts';
import { drawnCaption, firstCaption, showsCaption, toggleFilm } from '../helpers/browser/film.ts';
import { calm, wake } from '../helpers/browser/page-steps.ts';
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

  test('no gap is left for them, and the film can be started', async ({ page }) => {
    await page.route(/\.svg$/, (route) => route.abort());
    await page.goto('/');
    await wake(page);
    await toggleFilm(page);
    await expect.poll(() => showsCaption(page)).toEqual([firstCaption('en')]);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(page.locator('main img')).toHaveCount(8);
      await expect(page.locator('main img:visible')).toHaveCount(0);
    }
  });
});

const MIN_CAPTION_PX = 16;

for (const [language, labels, colorScheme, poster, scene] of [
  ['en', ['English', 'Español'], 'light', [240, 255], [240, 255]],
  ['es', ['Español', 'English'], 'dark', [0, 40], [100, 190]],
] as const) {
  test.describe(() => {
    test.use({ colorScheme });

    test(`the film (${language}, ${colorScheme}) loads on demand, with legible captions, and does not glare`, async ({
      page,
    }) => {
      const films: string[] = [];
      page.on('request', (request) => request.url().endsWith('.mp4') && films.push(request.url()));
      await page.goto(pathIn(language, '/'));
      await wake(page);
      await expect.poll(async () => within(await brightness(page), poster)).toBe(true);
      expect(films).toEqual([]);
      await toggleFilm(page);
      await expect.poll(() => showsCaption(page)).toEqual([firstCaption(language)]);
      expect(films).not.toEqual([]);
      await toggleFilm(page);
      await expect.poll(async () => within(await brightness(page), scene)).toBe(true);
      const film = page.locator('video');
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
