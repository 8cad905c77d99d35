/** The film in Chromium: when it loads, how bright it is, its captions while it plays, and the size in which they are drawn. */
import type { CDPSession, Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { pathIn } from '#contract/language.ts';
import { firstCaption } from '../helpers/browser/first-caption.ts';
import { toggleFilm, wake } from '../helpers/browser/page-steps.ts';
import { expect, quiet, test } from './fixtures.ts';
import { EVERY_LANGUAGE } from './routes.ts';

const MIN_CAPTION_PX = 16;

for (const language of EVERY_LANGUAGE) {
  for (const width of [320, 390, 1280]) {
    test(`the film (${language}) shows its captions while it plays at ${width} px, in at least 16 px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(pathIn(language, '/'));
      await toggleFilm(page);
      await expect
        .poll(() => playing(page))
        .toEqual({ isPlaying: true, captions: [firstCaption(language)] });
      const { fontPx, outsidePx } = await drawnCaption(page);
      expect.soft(fontPx).toBeGreaterThanOrEqual(MIN_CAPTION_PX);
      expect.soft(outsidePx, 'pixels outside of the film').toBeLessThanOrEqual(0);
    });
  }
}

test('the film loads only when the visitor starts it', async ({ page }) => {
  const films: string[] = [];
  page.on('request', (request) => request.url().endsWith('.mp4') && films.push(request.url()));
  await page.goto('/');
  await wake(page);
  await quiet(page);
  expect(films).toEqual([]);
  await toggleFilm(page);
  await expect.poll(() => playing(page)).toMatchObject({ isPlaying: true });
  expect(films).not.toEqual([]);
});

for (const [colorScheme, javaScriptEnabled, poster, film] of [
  ['light', true, [240, 255], [240, 255]],
  ['dark', false, [0, 40], [100, 190]],
] as const) {
  test.describe(() => {
    test.use({ colorScheme, javaScriptEnabled });

    test(`in ${colorScheme} mode the poster is ${colorScheme}, and the film does not glare`, async ({
      page,
    }) => {
      await page.goto('/');
      const isPosterDrawn = async () => within(await brightness(page), poster);
      await expect.poll(isPosterDrawn).toBe(true);
      await toggleFilm(page);
      await expect.poll(() => playing(page)).toMatchObject({ isPlaying: true });
      await expect.poll(async () => within(await brightness(page), film)).toBe(true);
    });
  });
}

test('a capture of the whole page, without scrolling, has the poster', async ({ page }) => {
  await page.goto('/');
  await quiet(page);
  const box = await page.locator('video').evaluate((video) => video.getBoundingClientRect());
  // The road of the poster.
  const clip = { x: box.x + 20, y: box.y + 0.75 * box.height, width: 20, height: 40 };
  const { data } = PNG.sync.read(await page.screenshot({ fullPage: true, clip }));
  expect([...data.subarray(0, 3)]).toEqual([0xdc, 0xd0, 0xe8]);
});

const within = (value: number, [min, max]: readonly [number, number]) =>
  value >= min && value <= max;

/** The red channel of a point near the top left corner, which is plain ground in the poster and in the first scene. */
async function brightness(page: Page): Promise<number> {
  const POINT = 20;
  const { data, width } = PNG.sync.read(await page.locator('video').screenshot());
  return data[4 * (POINT * width + POINT)] ?? 0;
}

const playing = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    isPlaying: !video.paused && video.currentTime > 0,
    captions: [...video.textTracks]
      .filter(({ mode }) => mode === 'showing')
      .flatMap(({ activeCues }) => [...(activeCues ?? [])] as VTTCue[])
      .map(({ text }) => text),
  }));

/** Returns how the browser draws the caption. Its element is in the video's own shadow tree, which only the debugger can read. */
async function drawnCaption(page: Page): Promise<{ fontPx: number; outsidePx: number }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const nodeId = await captionNode(cdp);
  const { computedStyle } = await cdp.send('CSS.getComputedStyleForNode', { nodeId });
  const size = computedStyle.find(({ name }) => name === 'font-size')?.value ?? '';
  const { model } = await cdp.send('DOM.getBoxModel', { nodeId });
  const film = await page.locator('video').boundingBox();
  await cdp.detach();
  if (!film) throw new Error('The film is not visible');
  const [left = 0, top = 0, right = 0, , , bottom = 0] = model.border;
  const outsidePx = Math.max(
    film.x - left,
    film.y - top,
    right - film.x - film.width,
    bottom - film.y - film.height,
  );
  return { fontPx: Number.parseFloat(size), outsidePx };
}

async function captionNode(cdp: CDPSession): Promise<number> {
  const { root } = await cdp.send('DOM.getDocument', { depth: -1, pierce: true });
  const all = [root];
  for (const node of all) all.push(...(node.shadowRoots ?? []), ...(node.children ?? []));
  const isCaption = ({ attributes = [] }: { attributes?: string[] }) => attributes.includes('cue');
  const node = all.find(isCaption);
  if (!node) throw new Error('The video draws no caption');
  return node.nodeId;
}
