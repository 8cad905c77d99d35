import { extractText, getDocumentProxy } from 'unpdf';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const MAX_PAGES = 4;
const PORTAL = 'https://portal.example/create-account?invitation_code=SMADRIVE';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(() => {
    test.use({ colorScheme });

    test(`T10 print, from a ${colorScheme} screen: every word and address, dark on white, on four pages`, async ({
      page,
    }, info) => {
      await page.goto('/');
      await wake(page);
      const pdf = await getDocumentProxy(
        new Uint8Array(await page.pdf({ path: info.outputPath('page.pdf'), format: 'Letter' })),
      );
      expect(pdf.numPages).toBeLessThanOrEqual(MAX_PAGES);
      const { text } = await extractText(pdf, { mergePages: true });
      const printed = squeezed(text);
      expect(printed).toContain(PORTAL);
      const all = await wordsOfMain(page);
      expect(all.length).toBeGreaterThan(50);
      for (const words of all) expect.soft(printed).toContain(squeezed(words));

      await page.emulateMedia({ media: 'print' });
      await page.screenshot({ path: info.outputPath('print.png'), fullPage: true });
      const { pale, fixed } = await page.evaluate(
        ({ texts, isShown, parse, contrast }) => {
          const PAPER: [number, number, number, number] = [255, 255, 255, 1];
          return {
            // The ground is the paper, because browsers do not print grounds by default.
            pale: texts()
              .filter(({ element }) => contrast(parse(getComputedStyle(element).color), PAPER) < 7)
              .map((piece) => piece.text),
            fixed: [...document.querySelectorAll('body *')]
              .filter(
                (element) => getComputedStyle(element).position === 'fixed' && isShown(element),
              )
              .map(({ className }) => className),
          };
        },
        await pageLook(page),
      );
      expect(pale).toEqual([]);
      expect(fixed).toEqual([]);
    });
  });
}

for (const language of LANGUAGES) {
  test(`T10 print, the help pages in "${language}": every word and address on four pages of A4 and Letter`, async ({
    page,
  }) => {
    for (const path of Object.values(HELP_PATHS)) {
      const address = pathIn(language, path);
      await page.goto(address);
      const all = await wordsOfMain(page);
      expect(all.length).toBeGreaterThan(3);
      const sources = await page
        .locator('main a[href^="https:"]')
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
      for (const format of ['A4', 'Letter']) {
        const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format })));
        expect.soft(pdf.numPages, address).toBeLessThanOrEqual(MAX_PAGES);
        const printed = squeezed((await extractText(pdf, { mergePages: true })).text);
        for (const words of [PORTAL, address, ...sources, ...all]) {
          expect.soft(printed, address).toContain(squeezed(words));
        }
      }
    }
  });
}

/** All words, folded parts included, but without the form's controls, because they have no use on paper. */
async function wordsOfMain(page: import('@playwright/test').Page): Promise<string[]> {
  return page
    .locator('main :is(h1, h2, h3, p, dt, dd, blockquote, figcaption, details *)')
    .evaluateAll((elements) =>
      elements
        .filter((element) => !element.closest('form') && element.childElementCount === 0)
        .map((element) => element.textContent ?? '')
        .filter(Boolean),
    );
}

/** Only the letters, because paper has other line breaks than the screen, and a PDF has no blanks. */
const squeezed = (text: string): string => text.normalize('NFKC').replace(/[\s\u00ad]+/g, '');
