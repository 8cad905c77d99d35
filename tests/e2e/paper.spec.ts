/** T10: the pages on paper, and the leaflet of `site link`: on one sheet, and through a camera. */

import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { pathIn } from '#contract/language.ts';
import { LONG, makeLeaflet, readQrCodes, SHORT } from '../helpers/browser/leaflet.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { started } from '../helpers/browser/page-waits.ts';
import { paperFaults, print, squeezed, wordsOfMain } from '../helpers/browser/paper.ts';
import { helpPagesIn } from '../helpers/browser/site-pages.ts';
import { ZBARIMG } from '../helpers/run/needs.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const MAX_SHEETS = 4;
/** The form, and the words about the film, which has no place on paper. */
const LEFT_OUT = 'form, div:has(> div > video)';
const PORTAL = 'https://portal.example/create-account?invitation_code=SMADRIVE';

for (const [language, colorScheme, format, share] of [
  ['en', 'dark', 'Letter', 0],
  ['es', 'light', 'A4', 1],
] as const) {
  test(`T10: the landing page (${language}) on ${format}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(pathIn(language, '/'));
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
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(720);
    const body = await page.locator('body').innerText();
    expect(body).not.toMatch(/opens in new tab|se abre en otra pestaña|See it in one minute/);
    expect(body.match(/https?:\S+\/help\/(?=\s)/g)).toHaveLength(1);
  });

  test(`T10: every second help page (${language}) on ${format}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of helpPagesIn(language).filter((_, i) => i % 2 === share)) {
      await page.goto(path);
      await started(page);
      const words = await wordsOfMain(page, 'figure');
      const addresses = await page
        .locator('main a[href^=http]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(addresses.length).toBeGreaterThan(0);
      const { sheets, printed } = await print(page, { format });
      expect.soft(sheets, `${path}: sheets`).toBeLessThanOrEqual(MAX_SHEETS);
      const missing = [path, ...words, ...addresses].filter(
        (text) => !printed.includes(squeezed(text)),
      );
      expect.soft(missing, path).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      expect.soft(await paperFaults(page), path).toEqual([]);
      await page.emulateMedia({ media: null });
    }
  });
}

/** A part of the headline in each language, as a PDF has it: without spaces. */
const HEADLINES = { en: 'Oneroadforward', es: 'Unsolocamino' };

for (const [language, format, leaflet] of [
  ['en', 'Letter', LONG],
  ['es', 'A4', LONG],
  ['en', 'A4', SHORT],
] as const) {
  const { host, code, address } = leaflet;

  test(`the leaflet (${language}) is one sheet of ${format}: ${code}`, async ({ page }, info) => {
    const { path, url } = makeLeaflet(info, language, leaflet);
    await page.goto(url);
    await page.evaluate(() => document.fonts.ready);
    const { sheets, printed } = await print(page, { format });
    expect(sheets).toBe(1);
    expect(printed).toContain(host + pathIn(language, `/r/${code}`));
    expect(printed).toContain(HEADLINES[language]);
    if (!address) return;

    test.skip(!existsSync(ZBARIMG), 'zbarimg is missing (Debian: zbar-tools)');
    const picture = info.outputPath('leaflet.png');
    // 210 × 297 mm at 96 dpi.
    await page.setViewportSize({ width: 794, height: 1123 });
    for (const state of [{ media: 'print' }, { media: 'screen', colorScheme: 'dark' }] as const) {
      await page.emulateMedia(state);
      await page.screenshot({ path: picture, fullPage: true });
      expect(readQrCodes(picture)).toEqual([address]);
    }
    await page.goto(pathToFileURL(`${path}.svg`).href);
    await page.evaluate(() => {
      for (const side of ['width', 'height']) document.documentElement.setAttribute(side, '500');
    });
    await page.screenshot({ path: picture });
    expect(readQrCodes(picture)).toEqual([address]);
  });
}
