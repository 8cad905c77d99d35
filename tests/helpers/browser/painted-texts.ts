/** Finds texts of a page that a screenshot of the whole page does not show. */
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { contrast, type Rgb } from './image-diff.ts';
import { pageLook } from './page-look.ts';

/** Lower bound for the share of a line that letters cover. */
const MIN_INK_SHARE = 0.02;
/** Lower bound for the contrast of a letter with the background of its line. */
const INK_RATIO = 3;

/** The lines of text that have no ink on a screenshot of the whole page. */
export async function unpaintedTexts(page: Page): Promise<string[]> {
  const picture = PNG.sync.read(await page.screenshot({ fullPage: true }));
  const lines = await page.evaluate(
    ({ texts }) =>
      texts()
        .filter(({ element }) => !element.closest('[role=status], [data-skip]'))
        .flatMap(({ text, lines: rects }) =>
          rects.map(({ x, y, width, height }) => ({ text, x, y: y + scrollY, width, height })),
        ),
    await pageLook(page),
  );
  if (lines.length === 0) throw new Error('The page has no text');
  return lines
    .filter((line) => inkShare(picture, line) < MIN_INK_SHARE)
    .map(({ text, x, y }) => `"${text}" at ${Math.round(x)}, ${Math.round(y)}`);
}

/** How much of a box differs clearly from its most common colour. */
function inkShare(picture: PNG, box: { x: number; y: number; width: number; height: number }) {
  const counts = new Map<number, number>();
  for (let y = Math.floor(box.y); y < Math.min(picture.height, box.y + box.height); y++) {
    for (let x = Math.floor(box.x); x < Math.min(picture.width, box.x + box.width); x++) {
      const color = picture.data.readUIntBE((y * picture.width + x) * 4, 3);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  }
  const [[ground = 0] = []] = [...counts].sort(([, a], [, b]) => b - a);
  const share = (all: [number, number][]) => all.reduce((sum, [, count]) => sum + count, 0);
  const ink = [...counts].filter(([color]) => contrast(rgbOf(color), rgbOf(ground)) >= INK_RATIO);
  return share(ink) / Math.max(1, share([...counts]));
}

const rgbOf = (color: number): Rgb => [color >> 16, (color >> 8) & 255, color & 255];

/** Words that are not drawn, or drawn faintly. */
export async function unseenWords(page: Page): Promise<(string | null)[]> {
  return page.evaluate(
    ({ texts, isShown }) => {
      const seen = new Set(texts().map(({ element }) => element));
      const home = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
      const isFaint = (element: Element | null): boolean =>
        element !== null &&
        (getComputedStyle(element).opacity !== '1' || isFaint(element.parentElement));
      const notForReading = 'svg, [role=status], [data-trap], script, style, button[hidden]';
      return (
        [...document.querySelectorAll<HTMLElement>('main *, footer *')]
          .filter(({ childElementCount, textContent }) => childElementCount === 0 && textContent)
          .filter((element) => !element.closest(notForReading))
          // Addresses of this page, or of pages below it, are on paper only.
          .filter(({ textContent }) => !home || !textContent?.startsWith(home))
          .filter((element) => !seen.has(element) || !isShown(element) || isFaint(element))
          .map(({ textContent }) => textContent)
      );
    },
    await pageLook(page),
  );
}
