/** T10: the pages on paper, and the leaflet of a link: on one sheet, and through a camera. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { started } from '../helpers/browser/page-waits.ts';
import { paperFaults, print, squeezed, wordsOfMain } from '../helpers/browser/paper.ts';
import { helpPagesIn } from '../helpers/browser/site-pages.ts';
import { ZBARIMG } from '../helpers/run/needs.ts';
import { withSettings } from '../helpers/run/with-settings.ts';
import { ADMIN_PASSWORD } from '../helpers/server/scrape.ts';
import { type SiteProcess, startSite } from '../helpers/server/site-process.ts';
import { distOf } from './build-sites.ts';
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

const HOST = 'national-patient-data-initiative.organisation.example';
const LONGEST = `${'long-code-'.repeat(6)}abcd`;

test.describe('the leaflet', () => {
  test.use({ httpCredentials: { username: 'team', password: ADMIN_PASSWORD } });
  let dist = '';
  let site: SiteProcess;
  test.beforeAll(async () => {
    dist = withSettings(distOf('form'), { siteUrl: `https://${HOST}` });
    site = await startSite({ DIST_DIR: dist, ADMIN_PASSWORD });
  });
  test.afterAll(() => site.remove());

  test('is one sheet, also with the longest address, and a phone reads it', async ({
    page,
  }, info) => {
    test.skip(!existsSync(ZBARIMG), 'zbarimg is missing (Debian: zbar-tools)');
    const env = { ...process.env, DATA_DIR: site.dataDir };
    for (const code of ['clinic-7', LONGEST]) {
      const options = ['--ref', code, '--name', 'Bay', '--to', info.outputDir, '--build', dist];
      execFileSync(process.execPath, ['server/commands/site.ts', 'link', ...options], { env });
      const url = `http://127.0.0.1:${site.port}/report/links/${code}`;
      const made = readFileSync(info.outputPath(`link-${code}.html`), 'utf8');
      expect(await (await page.goto(url))?.text()).toBe(made);
      for (const language of LANGUAGES) {
        await page.goto(`${url}?language=${language}`);
        const fonts = await page.evaluate(async () =>
          Array.from(await document.fonts.ready, ({ status }) => status),
        );
        expect(fonts).toEqual(['loaded', 'loaded']);
        const address = HOST + pathIn(language, `/r/${code}`);
        const words = [address, ...(await wordsOfMain(page))];
        for (const format of ['A4', 'Letter'] as const) {
          const { sheets, printed } = await print(page, { format });
          expect.soft([code, format, sheets]).toEqual([code, format, 1]);
          expect(words.filter((text) => !printed.includes(squeezed(text)))).toEqual([]);
        }
        expect.soft(await scanned(page, info)).toEqual([`https://${address}`]);
      }
      await page.goto(`${url}/qr`);
      await page.evaluate(() => {
        for (const side of ['width', 'height']) document.documentElement.setAttribute(side, '500');
      });
      expect.soft(await scanned(page, info)).toEqual([`https://${HOST}/r/${code}`]);
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
