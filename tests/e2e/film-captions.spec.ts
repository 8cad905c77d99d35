/** The film's captions in Chromium: their words while the film plays, and the size in which they are drawn. */
import type { CDPSession, Page } from '@playwright/test';
import { pathIn } from '#contract/language.ts';
import { firstCaption } from '../helpers/browser/first-caption.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE } from './routes.ts';

const MIN_CAPTION_PX = 16;

for (const language of EVERY_LANGUAGE) {
  for (const width of [320, 390, 1280]) {
    test(`the film (${language}) shows its captions while it plays at ${width} px, in at least 16 px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(pathIn(language, '/'));
      await wake(page);
      await page.locator('[data-island=video] [role=button]').click();
      await expect
        .poll(() => playing(page))
        .toEqual({ isPlaying: true, captions: [firstCaption(language)] });
      const { fontPx, outsidePx } = await drawnCaption(page);
      expect.soft(fontPx).toBeGreaterThanOrEqual(MIN_CAPTION_PX);
      expect.soft(outsidePx, 'pixels outside of the film').toBeLessThanOrEqual(0);
    });
  }
}

const playing = (page: Page) =>
  page.locator('[data-island=video] video').evaluate((video: HTMLVideoElement) => ({
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
  const film = await page.locator('[data-island=video] video').boundingBox();
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
