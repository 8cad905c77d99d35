import type { Locator, Page } from '@playwright/test';
import { edgeShare } from './image-diff.ts';

/** Share of a box's edge that differs from the ground around it. */
export async function edgeOf(page: Page, box: Locator): Promise<number> {
  const AROUND = 2;
  const BORDER = 4;
  await box.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await box.boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 };
  const clip = {
    x: Math.max(0, x - AROUND),
    y: Math.max(0, y - AROUND),
    width: width + 2 * AROUND,
    height: height + 2 * AROUND,
  };
  return edgeShare(await page.screenshot({ clip }), AROUND + BORDER);
}
