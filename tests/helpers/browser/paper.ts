/** Prints a page as a PDF and reads it, and finds faults of the printout. */
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { pageLook } from './page-look.ts';

/** The default margins of browsers. */
export const BROWSER_MARGINS = { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' };

/**
 * Prints a page.
 *
 * @returns the number of sheets, and the text of all sheets and of the last one, without white
 * space
 */
export async function print(
  page: Page,
  options: { format: 'A4' | 'Letter'; margin?: typeof BROWSER_MARGINS },
): Promise<{ sheets: number; printed: string; lastSheet: string }> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf(options)));
  const { text } = await extractText(pdf, { mergePages: false });
  const sheets = text.map(withoutSpaces);
  return { sheets: sheets.length, printed: sheets.join(''), lastSheet: sheets.at(-1) ?? '' };
}

/**
 * Removes white space and soft hyphens from a text, so that it can be compared with a printout:
 * that has other line breaks than the screen, and a PDF has no spaces.
 */
export const withoutSpaces = (text: string): string =>
  text.normalize('NFKC').replace(/[\s\u00ad]+/g, '');

/**
 * Returns the texts in main that a printout must have: all but those of forms, navigation and
 * buttons.
 *
 * @param except selector of further elements that are not printed
 */
export const printedTexts = (page: Page, except = 'form'): Promise<string[]> =>
  page.locator('main :is(h1, h2, h3, p, li, dt, dd, td, blockquote, figcaption)').evaluateAll(
    (elements, leftOut) =>
      elements
        .filter((element) => !element.closest(leftOut) && element.childElementCount === 0)
        .map((element) => element.textContent ?? '')
        .filter(Boolean),
    `form, nav, button, ${except}`,
  );

/**
 * Finds text with a contrast below 7:1 on white paper, and fixed elements, which would be on every
 * sheet. The page must emulate print.
 */
export async function paperFaults(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ texts, isShown, parse, contrast }) => {
      const PAPER: [number, number, number, number] = [255, 255, 255, 1];
      // The background is white, because browsers do not print backgrounds by default.
      const pale = texts()
        .filter(({ element }) => contrast(parse(getComputedStyle(element).color), PAPER) < 7)
        .map(({ text }) => `pale: "${text}"`);
      const fixed = [...document.querySelectorAll('body *')]
        .filter((element) => getComputedStyle(element).position === 'fixed' && isShown(element))
        .map(({ tagName, className }) => `on every sheet: ${tagName}.${className}`);
      return [...pale, ...fixed];
    },
    await pageLook(page),
  );
}
