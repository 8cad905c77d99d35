import type { Locator, Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'plain', contextOptions: { reducedMotion: 'reduce' } });

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not visible`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** A section's drawing, and the piece of the line that runs next to it. */
const partsOf = (page: Page, id: string) => {
  const section = page.locator(`section[aria-labelledby=${id}]`);
  const line = section.locator('svg[preserveAspectRatio=none]:visible');
  return { section, line: line.first(), drawing: section.locator('picture img') };
};

for (const width of [320, 390, 768, 1366, 1440]) {
  test(`at ${width} px the threads of the drawings join the signal line`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await wake(page);
    for (const id of ['benefits', 'privacy']) {
      expect.soft(await emptyColumns(page, id), id).toEqual([]);
    }
  });
}

/** How far from the line, in CSS pixels, the thread is followed. */
const FOLLOWED_PX = 60;
/** Half of the line's widest segments, with its swing. */
const LINE_PX = 10;

/** The columns of pixels between the line and the inside of the drawing that have only ground. Their numbers are distances from the line. */
async function emptyColumns(page: Page, id: string): Promise<number[]> {
  const { line, drawing } = partsOf(page, id);
  await drawing.scrollIntoViewIfNeeded();
  await expect.poll(() => drawing.evaluate((it: HTMLImageElement) => it.complete)).toBe(true);
  const box = await boxOf(drawing);
  const { x, width } = await boxOf(line);
  const centre = Math.round(x + width / 2);
  const isRight = centre > box.x + box.width / 2;
  const start = isRight ? centre - LINE_PX - FOLLOWED_PX : centre + LINE_PX;
  const clip = { x: start, y: box.y, width: FOLLOWED_PX, height: box.height };
  const picture = PNG.sync.read(await page.screenshot({ clip }));
  const columns = Array.from({ length: picture.width }, (_, at) => at);
  const empty = columns.filter((at) => isEven(picture, at));
  return empty.map((at) => LINE_PX + (isRight ? FOLLOWED_PX - at : at));
}

/** Whether a column of pixels has no stroke: nothing in it is far from its first pixel. */
function isEven({ data, width, height }: PNG, x: number): boolean {
  const grey = (y: number) => {
    const at = 4 * (y * width + x);
    return ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)) / 3;
  };
  const STROKE = 60;
  return Array.from({ length: height }, (_, y) => y).every(
    (y) => Math.abs(grey(y) - grey(0)) < STROKE,
  );
}

/** The share of a column's height that may be empty at its end. */
const MAX_EMPTY = 0.25;

for (const width of [1366, 1440]) {
  test(`at ${width} px the column beside the film is as full as the film`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await wake(page);
    const film = await boxOf(page.locator('[data-island=video]'));
    const words = page.locator('div:has(+ [data-island=video])');
    const { bottom } = await boxOf(words.locator('> :visible').last());
    expect(film.bottom - bottom).toBeLessThanOrEqual(film.height * MAX_EMPTY);
  });

  test(`at ${width} px the drawings of two columns reach from the edge of the page to the line`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await wake(page);
    for (const id of ['benefits', 'privacy']) {
      const { section, line, drawing } = partsOf(page, id);
      const heading = await boxOf(section.locator('h2'));
      const box = await boxOf(drawing);
      const { x } = await boxOf(line);
      expect.soft(box.x, id).toBeCloseTo(heading.x, 0);
      expect.soft(box.right, id).toBeGreaterThanOrEqual(x);
      const { bottom, y } = await boxOf(section.locator('ul'));
      expect.soft(bottom - box.bottom, id).toBeLessThanOrEqual((bottom - y) * MAX_EMPTY);
    }
  });
}
