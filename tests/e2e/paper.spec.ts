/** T10: the pages on paper, and the leaflet of a link: on one sheet, and through a camera. */

import { execFileSync } from 'node:child_process';
import type { Page, TestInfo } from '@playwright/test';
import { pathIn } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { started, wake } from '../helpers/browser/page-waits.ts';
import { paperFaults, print, squeezed, wordsOfMain } from '../helpers/browser/paper.ts';
import { helpPagesIn } from '../helpers/browser/site-pages.ts';
import { BUILDS } from '../helpers/run/build-sites.ts';
import { findProgram } from '../helpers/run/find-programs.ts';
import { ADMIN_PASSWORD } from '../helpers/server/scrape.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const ZBARIMG = findProgram('zbarimg') ?? '';
const MAX_SHEETS = 4;
/** The form, and the words about the film, which has no place on paper. */
const LEFT_OUT = 'form, div:has(> div > video)';
const PORTAL = 'https://portal.example/create-account?invitation_code=SMADRIVE';

for (const [i, path] of ['/', '/es/', ...helpPagesIn('en')].entries()) {
  const isLanding = i < 2;
  const isEnglish = i % 2 === 0;
  const shown = isLanding || isEnglish ? path : `/es${path}`;
  const format = isEnglish ? 'Letter' : 'A4';

  test(`T10: ${shown} on ${format}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: isEnglish ? 'dark' : 'light' });
    await page.goto(shown);
    await (isLanding ? wake(page) : started(page));
    const words = await wordsOfMain(page, isLanding ? LEFT_OUT : 'figure');
    const addresses = await page
      .locator('main a[href^=http]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(words.length).toBeGreaterThan(10);
    expect(addresses.length).toBeGreaterThan(0);
    const { sheets, printed } = await print(page, { format });
    expect.soft(sheets).toBeLessThanOrEqual(MAX_SHEETS);
    const all = isLanding ? [PORTAL, ...words] : [shown, ...words, ...addresses];
    expect.soft(all.filter((text) => !printed.includes(squeezed(text)))).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect.soft(await paperFaults(page)).toEqual([]);
  });
}

test.describe('the leaflet', () => {
  test.use({ httpCredentials: { username: 'team', password: ADMIN_PASSWORD } });

  test('is one sheet, also with the longest address, and a phone reads it', async ({
    page,
  }, info) => {
    test.skip(!ZBARIMG, 'zbarimg is missing (Debian: zbar-tools)');
    const { origin, host } = new URL(readSiteConfig(BUILDS.form).siteUrl);
    for (const [language, format, code] of [
      ['en', 'Letter', 'clinic-7'],
      ['es', 'A4', `${'long-code-'.repeat(6)}abcd`],
    ] as const) {
      const path = pathIn(language, `/r/${code}`);
      await page.goto('/report');
      const form = page.locator('form', { hasText: 'Make link' });
      await form.getByLabel('Name').fill('Bay Clinic');
      await form.getByLabel('Code').fill(code);
      await form.getByRole('button').click();
      await page.goto(`/report/links/${code}?language=${language}`);
      const words = [host + path, ...(await wordsOfMain(page))];
      const { sheets, printed } = await print(page, { format });
      expect.soft([code, sheets]).toEqual([code, 1]);
      expect(words.filter((text) => !printed.includes(squeezed(text)))).toEqual([]);
      expect.soft(await scanned(page, info)).toEqual([origin + path]);
    }
  });
});

/** Reads the QR codes on the sheet with zbarimg, as a phone's camera would. */
async function scanned(page: Page, info: TestInfo): Promise<string[]> {
  const path = info.outputPath('sheet.png');
  // 174 mm, the narrower sheet's width without its margins.
  await page.setViewportSize({ width: 658, height: 980 });
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path });
  await page.emulateMedia({ media: null });
  const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', path];
  // zbarimg warns on standard error that there is no D-Bus.
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  return execFileSync(ZBARIMG, options, { encoding: 'utf8', stdio }).split('\n').filter(Boolean);
}
