import type { Locator, Page } from '@playwright/test';
import { lengthenTexts } from '../helpers/browser/lengthen-texts.ts';
import {
  enlargeText,
  fixedHeight,
  layoutFaults,
  widenSpacing,
} from '../helpers/browser/page-layout.ts';
import { calm, toolsReady } from '../helpers/browser/page-steps.ts';
import { ctaFaults, targetFaults, targetsOf } from '../helpers/browser/targets.ts';
import { expect, test } from './fixtures.ts';
import {
  EVERY_LANGUAGE,
  everyHelpPageIn,
  MISSING_COMPLAINT,
  missingIn,
  plainPagesIn,
} from './routes.ts';

test.use({
  build: 'full',
  contextOptions: { reducedMotion: 'reduce' },
  expectedComplaints: MISSING_COMPLAINT,
});

const resize = async (page: Page, width: number, height = 800) => {
  await page.setViewportSize({ width, height });
  await calm(page);
};

/** Runs in the page. @returns pixels from the page's top */
const topOf = (element: Element) =>
  Math.round(element.getBoundingClientRect().top + window.scrollY);

const CONTACTS = 'main a:is([href^="mailto:"], [href^="tel:"])';

/** How many CSS pixels of a link's middle, from top to bottom, a press would hit. */
const pressableHeight = (link: Locator): Promise<number> =>
  link.evaluate((it) => {
    it.scrollIntoView({ block: 'center' });
    const [first] = it.getClientRects();
    if (!first) return 0;
    const { x, y, width, height } = first;
    const rows = Array.from({ length: Math.floor(height) }, (_, row) => y + row + 0.5);
    return rows.filter((row) => it.contains(document.elementFromPoint(x + width / 2, row))).length;
  });

for (const language of EVERY_LANGUAGE) {
  test(`T3 targets of the help pages (${language}) at 320 and 1280 px: large, apart, and away from the edges; the call to action is a large one`, async ({
    page,
  }) => {
    const headings = new Map<string, number>();
    for (const path of plainPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      for (const width of [320, 1280]) {
        await resize(page, width);
        const targets = await targetsOf(page);
        expect(targets.length).toBeGreaterThan(1);
        expect.soft(targetFaults(targets, width), `${path}, ${width} px`).toEqual([]);
        if (path === missingIn(language)) continue;
        const faults = await ctaFaults(page.locator('[data-cta=help]'), width);
        expect.soft(faults, path).toEqual([]);
        headings.set(path, await page.locator('h1').evaluate(topOf));
      }
    }
    // The last width is the wide one. A reader who pages through finds each heading at the same place.
    expect(new Set(headings.values()).size, JSON.stringify([...headings])).toBe(1);
  });

  test(`T3 links to write or call on the help pages (${language}) can be pressed 44 px high at 320 and 1280 px`, async ({
    page,
  }) => {
    let count = 0;
    for (const path of everyHelpPageIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      for (const width of [320, 1280]) {
        await resize(page, width);
        for (const link of await page.locator(CONTACTS).all()) {
          count += 1;
          const name = `${path}, ${width} px: ${await link.textContent()}`;
          expect.soft(await pressableHeight(link), name).toBeGreaterThanOrEqual(44);
        }
      }
    }
    expect(count).toBeGreaterThan(10);
  });

  test(`T4 reflow of the help pages (${language}): at 320 × 256 with text at 100 and 200 %, nothing is cut or scrolls sideways`, async ({
    page,
  }) => {
    for (const path of plainPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      await resize(page, 320, 256);
      for (const scale of [1, 2]) {
        await enlargeText(page, scale);
        expect.soft(await layoutFaults(page), `${path}, ${scale * 100} %`).toEqual([]);
      }
      expect(await fixedHeight(page)).toBeLessThanOrEqual(256 / 4);
    }
  });

  test(`T5 text spacing of the help pages (${language}) at 320 and 1280 px: nothing is cut, no words lie over others`, async ({
    page,
  }) => {
    for (const path of plainPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      await widenSpacing(page);
      for (const width of [320, 1280]) {
        await resize(page, width);
        expect.soft(await layoutFaults(page), `${path}, ${width} px`).toEqual([]);
      }
    }
  });

  test(`T5 with 40 % more text in the help pages (${language}) nothing is cut, and no words lie over others`, async ({
    page,
  }) => {
    for (const path of plainPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      await lengthenTexts(page, 0.4);
      for (const width of [280, 1280]) {
        await resize(page, width);
        expect.soft(await layoutFaults(page), `${path}, ${width} px`).toEqual([]);
      }
    }
  });

  test(`T17 the help pages (${language}) turn with the phone`, async ({ page }) => {
    for (const path of plainPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      // Portrait is the way of most other tests.
      await resize(page, 844, 390);
      expect.soft(await layoutFaults(page), path).toEqual([]);
      expect(await page.evaluate(() => getComputedStyle(document.body).transform)).toBe('none');
    }
  });
}
