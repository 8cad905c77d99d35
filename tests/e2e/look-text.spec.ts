import type { Page } from '@playwright/test';
import { wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, landingIn } from './routes.ts';

test.use({ build: 'plain', contextOptions: { reducedMotion: 'reduce' } });

/** The shortest line of a paragraph, as a part of its longest. */
const MIN_PART = 0.55;

for (const language of EVERY_LANGUAGE) {
  for (const width of [320, 390]) {
    test(`the short paragraphs of ${landingIn(language)} have even lines at ${width} px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(landingIn(language));
      await wake(page);
      const paragraphs = await unevenParagraphs(page);
      expect(paragraphs.count).toBeGreaterThan(10);
      expect(paragraphs.uneven).toEqual([]);
    });
  }
}

/** Below each heading of a section or of a part of it. Browsers balance up to six lines. */
function unevenParagraphs(page: Page): Promise<{ count: number; uneven: string[] }> {
  return page.evaluate((minPart) => {
    const BALANCED_LINES = 6;
    const paragraphs = [
      ...document.querySelectorAll<HTMLElement>('main section :is(h2, h3) + p:not(figcaption *)'),
    ];
    const uneven = paragraphs.flatMap((paragraph) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph);
      const rows = Map.groupBy(range.getClientRects(), ({ y }) => Math.round(y));
      const widths = [...rows.values()].map(
        (row) =>
          Math.max(...row.map(({ right }) => right)) - Math.min(...row.map(({ left }) => left)),
      );
      const part = Math.min(...widths) / Math.max(...widths);
      const isUneven = widths.length > 1 && widths.length <= BALANCED_LINES && part < minPart;
      return isUneven ? [`${part.toFixed(2)}: ${paragraph.textContent}`] : [];
    });
    return { count: paragraphs.length, uneven };
  }, MIN_PART);
}
