import { wake } from '../helpers/browser/page-steps.ts';
import { paperFaults, print, squeezed, wordsOfMain } from '../helpers/browser/paper.ts';
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
      const path = info.outputPath('page.pdf');
      const { sheets, printed } = await print(page, { path, format: 'Letter' });
      expect(sheets).toBeLessThanOrEqual(MAX_PAGES);
      expect(printed).toContain(PORTAL);
      const all = await wordsOfMain(page);
      expect(all.length).toBeGreaterThan(50);
      for (const words of all) expect.soft(printed).toContain(squeezed(words));

      await page.emulateMedia({ media: 'print' });
      await page.screenshot({ path: info.outputPath('print.png'), fullPage: true });
      expect(await paperFaults(page)).toEqual([]);
    });
  });
}
