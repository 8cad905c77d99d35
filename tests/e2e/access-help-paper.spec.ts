import { toolsReady } from '../helpers/browser/page-steps.ts';
import { paperFaults, print, squeezed, wordsOfMain } from '../helpers/browser/paper.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, helpPagesIn } from './routes.ts';

test.use({ build: 'full', contextOptions: { reducedMotion: 'reduce' } });

const MAX_PAGES = 4;

for (const language of EVERY_LANGUAGE) {
  test(`T10 print of each help page (${language}) on A4 and letter: every word, its own address and that of each link, dark on white, on at most four sheets`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: language === 'en' ? 'dark' : 'light' });
    for (const path of helpPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      const words = await wordsOfMain(page, 'figure');
      const addresses = await page
        .locator('main a[href^=http]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(addresses.length).toBeGreaterThan(0);
      for (const format of ['A4', 'Letter'] as const) {
        const { sheets, printed } = await print(page, { format });
        expect.soft(sheets, `${path}: sheets of ${format}`).toBeLessThanOrEqual(MAX_PAGES);
        const lost = [path, ...words, ...addresses].filter(
          (text) => !printed.includes(squeezed(text)),
        );
        expect.soft(lost, `${path} on ${format}`).toEqual([]);
      }
      await page.emulateMedia({ media: 'print' });
      expect.soft(await paperFaults(page), path).toEqual([]);
      await page.emulateMedia({ media: null });
    }
  });
}
