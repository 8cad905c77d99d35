import type { Page } from '@playwright/test';
import { calm } from './page-steps.ts';

/** Makes every text of the page longer, like a translation, by repeating its beginning. `share`: 0.45 adds 45 %. */
export async function lengthenTexts(page: Page, share: number): Promise<void> {
  await page.evaluate((more) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      if (!text.trim() || node.parentElement?.matches('script, style')) continue;
      node.textContent = `${text} ${text.slice(0, Math.ceil(text.length * more))}`;
    }
  }, share);
  await calm(page);
}
