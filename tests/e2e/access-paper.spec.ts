import { pathIn } from '#contract/language.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { paperFaults, print, squeezed, wordsOfMain } from '../helpers/browser/paper.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const MAX_PAGES = 4;
const PORTAL = 'https://portal.example/create-account?invitation_code=SMADRIVE';

for (const [path, colorScheme] of [
  ['/', 'light'],
  ['/', 'dark'],
  [pathIn('es', '/'), 'light'],
] as const) {
  test.describe(() => {
    test.use({ colorScheme });

    test(`T10 print of ${path}, from a ${colorScheme} screen: every word and address, dark on white, on four pages`, async ({
      page,
    }, info) => {
      await page.goto(path);
      await wake(page);
      const file = info.outputPath('page.pdf');
      const { sheets, printed } = await print(page, { path: file, format: 'Letter' });
      expect(sheets).toBeLessThanOrEqual(MAX_PAGES);
      expect(printed).toContain(PORTAL);
      const all = await wordsOfMain(page);
      expect(all.length).toBeGreaterThan(40);
      for (const words of all) expect.soft(printed).toContain(squeezed(words));

      await page.emulateMedia({ media: 'print' });
      await page.screenshot({ path: info.outputPath('print.png'), fullPage: true });
      expect(await paperFaults(page)).toEqual([]);
    });
  });
}
