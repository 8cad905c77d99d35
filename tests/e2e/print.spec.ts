/** What the pages print (T10). */
import type { Language } from '#contract/language.ts';
import { toolsReady, wake } from '../helpers/browser/page-steps.ts';
import { paperFaults, print, squeezed, wordsOfMain } from '../helpers/browser/paper.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, everyHelpPageIn, landingIn } from './routes.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const MAX_SHEETS = 4;
/** The form, and the words about the film, which has no place on paper. */
const LEFT_OUT = 'form, div:has(> div > video)';
const PORTAL = 'https://portal.example/create-account?invitation_code=SMADRIVE';
const VIEWS = {
  en: { colorScheme: 'dark', format: 'Letter' },
  es: { colorScheme: 'light', format: 'A4' },
} satisfies Record<Language, object> as Record<
  Language,
  { colorScheme: 'dark' | 'light'; format: 'Letter' | 'A4' }
>;

for (const language of EVERY_LANGUAGE) {
  const { colorScheme, format } = VIEWS[language];

  test(`T10 print of ${landingIn(language)} from a ${colorScheme} screen: every word, the portal’s address, dark on white, on at most four sheets`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(landingIn(language));
    await wake(page);
    const { sheets, printed } = await print(page, { format });
    expect(sheets).toBeLessThanOrEqual(MAX_SHEETS);
    const words = await wordsOfMain(page, LEFT_OUT);
    expect(words.length).toBeGreaterThan(40);
    expect([PORTAL, ...words].filter((text) => !printed.includes(squeezed(text)))).toEqual([]);

    await page.emulateMedia({ media: 'print' });
    expect(await paperFaults(page)).toEqual([]);
    // The sheet's width in CSS pixels.
    await page.setViewportSize({ width: 720, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      720,
    );
    const body = await page.locator('body').innerText();
    expect(body).not.toMatch(/opens in new tab|se abre en otra pestaña|See it in one minute/);
    expect(body.match(/https?:\S+\/help\/(?=\s)/g)).toHaveLength(1);
  });

  test(`T10 print of each help page (${language}) on ${format}: every word, its own address and that of each link, dark on white, on at most four sheets`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of everyHelpPageIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      const words = await wordsOfMain(page, 'figure');
      const addresses = await page
        .locator('main a[href^=http]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(addresses.length).toBeGreaterThan(0);
      const { sheets, printed } = await print(page, { format });
      expect.soft(sheets, `${path}: sheets`).toBeLessThanOrEqual(MAX_SHEETS);
      const all = [path, ...words, ...addresses];
      expect
        .soft(
          all.filter((text) => !printed.includes(squeezed(text))),
          path,
        )
        .toEqual([]);
      await page.emulateMedia({ media: 'print' });
      expect.soft(await paperFaults(page), path).toEqual([]);
      await page.emulateMedia({ media: null });
    }
  });
}
