/** Reads what a page prints. */
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { pageLook } from './page-look.ts';

/** The margins that browsers print with by default. */
export const BROWSER_MARGINS = { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' };

/**
 * @returns the number of sheets, and the letters on all and on the last one, as `squeezed` leaves
 * them
 */
export async function print(
  page: Page,
  options: { format: 'A4' | 'Letter'; margin?: typeof BROWSER_MARGINS },
): Promise<{ sheets: number; printed: string; lastSheet: string }> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf(options)));
  const { text } = await extractText(pdf, { mergePages: false });
  const sheets = text.map(squeezed);
  return { sheets: sheets.length, printed: sheets.join(''), lastSheet: sheets.at(-1) ?? '' };
}

/**
 * Only the letters, because paper has other line breaks than the screen, and a PDF has no blanks.
 */
export const squeezed = (text: string): string =>
  text.normalize('NFKC').replace(/[\s\u00ad]+/g, '');

/**
 * All words but those of controls, which have no use on paper, and of parts that the page leaves
 * out there.
 */
export const wordsOfMain = (page: Page, except = 'form'): Promise<string[]> =>
  page.locator('main :is(h1, h2, h3, p, li, dt, dd, td, blockquote, figcaption)').evaluateAll(
    (elements, leftOut) =>
      elements
        .filter((element) => !element.closest(leftOut) && element.childElementCount === 0)
        .map((element) => element.textContent ?? '')
        .filter(Boolean),
    `form, nav, button, ${except}`,
  );

/**
 * Words that are too pale for white paper, and elements that would be on every sheet. The page must
 * emulate print.
 */
export async function paperFaults(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ texts, isShown, parse, contrast }) => {
      const PAPER: [number, number, number, number] = [255, 255, 255, 1];
      // The ground is the paper, because browsers do not print grounds by default.
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
