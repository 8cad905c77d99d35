/** The smallest phone with names as long as operators write: the header and the first screen. */
import type { Page } from '@playwright/test';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { moduleRan } from '../helpers/browser/page-waits.ts';
import { build } from '../helpers/run/build.ts';
import { siteFile } from '../helpers/run/site-file.ts';
import { startSite } from '../helpers/server/site-process.ts';
import { expect, test } from './fixtures.ts';

// It builds a site of its own.
test.setTimeout(180_000);
const DIST = 'node_modules/.cache/long-names';
const PRODUCT = 'Northern Lakes Spinal Muscular Atrophy Patient Data Drive 27';
/** One line of the smallest phone, but two of the column of answers. */
const PARTNER = 'Northern Lakes Health Insights';

/** The words of which a part is on another line. */
const brokenWords = (page: Page) =>
  page.locator('header .name, .hero > div').evaluateAll((parts) =>
    parts.flatMap((part) => {
      const broken: string[] = [];
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const { 0: word, index } of text.textContent?.matchAll(/[\p{L}\p{N}]+/gu) ?? []) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) broken.push(word);
        }
      }
      return broken;
    }),
  );

test('a long name has room in the header, and no word is broken', async ({ page }) => {
  await build(DIST, siteFile({ productName: PRODUCT, partnerName: PARTNER }));
  const site = await startSite({ DIST_DIR: DIST });
  try {
    await page.setViewportSize({ width: 320, height: 800 });
    for (const language of LANGUAGES) {
      await page.goto(`http://localhost:${site.port}${pathIn(language, '/')}`);
      await moduleRan(page);
      const name = page.locator('header .name > :last-child');
      await expect(name).toHaveText(PRODUCT);
      const { height = 0 } = (await name.boundingBox()) ?? {};
      const lineHeight = await name.evaluate((it) =>
        Number.parseFloat(getComputedStyle(it).lineHeight),
      );
      expect(Math.round(height / lineHeight)).toBeLessThanOrEqual(3);
      expect(await brokenWords(page)).toEqual([]);
    }
    // What loads after the first look would not find the server any more.
    await page.goto('about:blank');
  } finally {
    await site.remove();
  }
});
