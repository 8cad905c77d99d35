/** The film as a visitor plays it, and its captions. */
import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from '@playwright/test';
import type { Language } from '#contract/language.ts';

const FILES: Record<Language, string> = {
  en: 'public/video/film.vtt',
  es: 'public/video/film-es.vtt',
};

/** Returns the words of the film's first caption, which its file shows from 0.5 s to 5.3 s. */
export function firstCaption(language: Language): string {
  const [, cue = ''] = readFileSync(FILES[language], 'utf8').split('\n\n');
  const [, , ...words] = cue.trim().split('\n');
  return words.join('\n');
}

/** Starts the film, or pauses it, with the keyboard, because the place of the play button is the browser's affair. */
export async function toggleFilm(page: Page): Promise<void> {
  await page.locator('video').focus();
  await page.keyboard.press('Space');
}

/** The captions that the film shows, once it has played; empty before. */
export const showsCaption = (page: Page): Promise<string[]> =>
  page.locator('video').evaluate(({ currentTime, textTracks }: HTMLVideoElement) =>
    [...textTracks]
      .filter(({ mode }) => mode === 'showing' && currentTime > 0)
      .flatMap(({ activeCues }) => [...(activeCues ?? [])] as VTTCue[])
      .map(({ text }) => text),
  );

/** Returns how the browser draws the caption. Its element is in the video's own shadow tree, which only the debugger can read. */
export async function drawnCaption(page: Page): Promise<{ fontPx: number; outsidePx: number }> {
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
