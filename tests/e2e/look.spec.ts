import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { lengthenTexts } from '../helpers/browser/lengthen-texts.ts';
import { toggleFilm, wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const width of [320, 390, 820, 1280, 1440]) {
  test(`the signal line at ${width} px is one line: no two pieces overlap, none is missing`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await wake(page);
    const pieces = await linePieces(page);
    expect(pieces.length).toBeGreaterThan(10);
    const faults = pieces.slice(1).map((piece, i) => faultBetween(pieces[i] as Piece, piece));
    expect(faults.filter(Boolean)).toEqual([]);
  });
}

/** A step's number covers the gap of 1rem above it. Successive pieces are never next to each other. */
function faultBetween(before: Piece, piece: Piece): string {
  const gap = Math.round(piece.startY - before.endY);
  const aside = Math.round(Math.abs(piece.startX - before.endX));
  const isOneLine = gap >= -2 && gap <= 18 && aside <= 4;
  return isOneLine ? '' : `${before.name}, ${piece.name}: gap ${gap} px, aside ${aside} px`;
}

interface Piece {
  name: string;
  startX: number;
  startY: number;
  endX: number;
  endY: number;
}

/** Where each visible piece of the line starts and ends in the page, in CSS pixels, from top to bottom. */
function linePieces(page: Page): Promise<Piece[]> {
  return page.evaluate(() => {
    const pieces = [...document.querySelectorAll<SVGElement>('svg[preserveAspectRatio=none]')]
      .filter((line) => line.checkVisibility())
      .map((line) => {
        const path = line.querySelector('path') as SVGPathElement;
        const matrix = path.getScreenCTM() as DOMMatrix;
        const placeAt = (length: number) => path.getPointAtLength(length).matrixTransform(matrix);
        const start = placeAt(0);
        const end = placeAt(path.getTotalLength());
        const [top, bottom] = start.y < end.y ? [start, end] : [end, start];
        return {
          name: `${line.parentElement?.className} > ${line.getAttribute('class')}`,
          startX: top.x,
          startY: top.y + scrollY,
          endX: bottom.x,
          endY: bottom.y + scrollY,
        };
      });
    return pieces.sort((a, b) => a.startY - b.startY || a.endY - b.endY);
  });
}

test.describe('where images are blocked', () => {
  test.use({ expectedComplaints: /Failed to load resource|ERR_FAILED/ });

  for (const width of [390, 1280]) {
    test(`no gap is left for them at ${width} px, and the film can still be started`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.route(/\.svg$/, (route) => route.abort());
      await page.goto('/');
      await wake(page);
      await expect(page.locator('main img')).toHaveCount(8);
      await expect(page.locator('main img:visible')).toHaveCount(0);
      await toggleFilm(page);
      await expect(page.locator('video')).toHaveJSProperty('paused', false);
    });
  }

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

test('with 45 % more text the hero’s words stay clear of its drawing', async ({ page }) => {
  for (const width of [1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await wake(page);
    expect.soft(await linesOfHeadline(page), `${width} px`).toBe(2);
    await lengthenTexts(page, 0.45);
    expect.soft(await linesOfHeadline(page), `${width} px`).toBeGreaterThan(2);
    expect.soft(await wordsOnDrawing(page), `${width} px`).toEqual([]);
  }
});

const linesOfHeadline = (page: Page): Promise<number> =>
  page.locator('h1').evaluate((headline) => {
    const { height } = headline.getBoundingClientRect();
    return Math.round(height / Number.parseFloat(getComputedStyle(headline).lineHeight));
  });

/** Lines of the hero's words that touch a shape of the hero's drawing. */
function wordsOnDrawing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shapes = [...document.querySelectorAll('svg[data-arrive] :is(path, circle)')].map(
      (shape) => shape.getBoundingClientRect(),
    );
    return [...document.querySelectorAll('div[data-arrive] :is(p, h1, a)')].flatMap((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [...range.getClientRects()]
        .filter((line) =>
          shapes.some(
            (shape) =>
              shape.left < line.right &&
              line.left < shape.right &&
              shape.top < line.bottom &&
              line.top < shape.bottom,
          ),
        )
        .map((line) => `${element.tagName} at ${Math.round(line.right)}, ${Math.round(line.y)}`);
    });
  });
}
