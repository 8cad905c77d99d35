/** T10: the pages on paper, and the leaflet of a link: on one sheet, and through a camera. */

import { execFileSync } from 'node:child_process';
import type { Page, TestInfo } from '@playwright/test';
import { pathIn } from '#contract/language.ts';
import { MAX_INVITATION_CODE, MAX_REFERRER } from '#contract/limits.ts';
import { readSiteConfig } from '#site.config.ts';
import { allAwake, moduleRan } from '../helpers/browser/page-waits.ts';
import {
  BROWSER_MARGINS,
  paperFaults,
  print,
  printedTexts,
  withoutSpaces,
} from '../helpers/browser/paper.ts';
import { registerInSmallWindow } from '../helpers/browser/registration-form.ts';
import { helpPagesIn } from '../helpers/browser/site-pages.ts';
import { PORTAL_HOST } from '../helpers/fakes/other-servers.ts';
import { BUILDS, SITE_HOST } from '../helpers/run/build-sites.ts';
import { findProgram } from '../helpers/run/find-programs.ts';
import { ADMIN_PASSWORD } from '../helpers/server/scrape.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'form' });

const ZBARIMG = findProgram('zbarimg') ?? '';
const MAX_SHEETS = 4;
/**
 * Lower bound for the last sheet, which would else be a waste of paper. Its button and footer have
 * more.
 */
const MIN_LETTERS = 250;
/** The form, and the words about the film, which has no place on paper. */
const LEFT_OUT = 'form, div:has(> div > video)';
const PORTAL = 'https://portal.example/create-account?invitation_code=SMADRIVE';

test('T10: after a registration, the confirmation is printed without toast, room or drawing', async ({
  page,
}) => {
  const { card, ...form } = await registerInSmallWindow(page);
  await page.emulateMedia({ media: 'print' });
  await expect(card).toHaveCSS('padding-top', '0px');
  await expect(form.toast).toBeHidden();
  await expect(form.success).toBeVisible();
  await expect(page.locator('[data-ground=call] img')).toBeHidden();
});

for (const [i, path] of ['/', '/es/', ...helpPagesIn('en')].entries()) {
  const isLanding = i < 2;
  const isEnglish = i % 2 === 0;
  const shown = isLanding || isEnglish ? path : `/es${path}`;
  const format = isEnglish ? 'Letter' : 'A4';

  test(`T10: ${shown} on ${format}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: isEnglish ? 'dark' : 'light' });
    await page.goto(shown);
    await (isLanding ? allAwake(page) : moduleRan(page));
    const words = await printedTexts(page, isLanding ? LEFT_OUT : 'figure');
    const addresses = await page
      .locator('main a[href^=http]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(words.length).toBeGreaterThan(10);
    expect(addresses.length).toBeGreaterThan(0);
    const { sheets, printed, lastSheet } = await print(page, { format, margin: BROWSER_MARGINS });
    expect.soft(sheets).toBeLessThanOrEqual(MAX_SHEETS);
    expect.soft(lastSheet.length).toBeGreaterThan(MIN_LETTERS);
    const all = isLanding ? [PORTAL, ...words] : [shown, ...words, ...addresses];
    expect.soft(all.filter((text) => !printed.includes(withoutSpaces(text)))).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect.soft(await paperFaults(page)).toEqual([]);
  });
}

/** The longest part of a host's name. */
const LABEL = 'wayfield-health-'.repeat(4).slice(0, 63);
interface Link {
  host: string;
  code?: string;
  ref: string;
}

const LINKS: Record<'a host of 45 letters' | 'the longest of each part', Link> = {
  'a host of 45 letters': {
    host: 'patients.portal.wayfieldhealth-record.example',
    ref: 'clinic-7-of-a-long-name-of-forty-four-letters',
  },
  'the longest of each part': {
    host: `${LABEL}.${LABEL}.${LABEL}.wayfieldhealth.example`,
    code: 'C'.repeat(MAX_INVITATION_CODE),
    ref: 'x1'.repeat(MAX_REFERRER / 2),
  },
};

for (const [name, path, format] of [
  ['a host of 45 letters', '/', 'Letter'],
  ['a host of 45 letters', '/es/help/privacy/', 'A4'],
  ['the longest of each part', '/', 'A4'],
  ['the longest of each part', '/es/', 'Letter'],
  ['the longest of each part', '/help/questions/', 'A4'],
] as const)
  test(`T10: ${path} on ${format} has the address of ${name} with a ref, and no other twice`, async ({
    page,
  }) => {
    const link = LINKS[name];
    await servePortal(page, link);
    await page.goto(`${path}?ref=${link.ref}&utm_source=mail`);
    await (path.includes('help') ? moduleRan(page) : allAwake(page));
    const calls = await addressesOf(page, '[data-cta]');
    const others = await addressesOf(page, ':is(main, footer) a[target]:not([data-cta], form *)');
    expect(new Set(calls).size).toBe(1);
    expect(calls[0]).toContain(`${link.host}/create-account?invitation_code=`);
    expect(calls[0]).toContain(`ref=${link.ref}`);
    expect(others).toContain(`https://${link.host}/privacy?ref=site&utm_source=site`);
    const { sheets, printed, lastSheet } = await print(page, { format, margin: BROWSER_MARGINS });
    expect.soft(sheets).toBeLessThanOrEqual(MAX_SHEETS);
    expect.soft(lastSheet.length).toBeGreaterThan(MIN_LETTERS);
    const times = (address = '') => printed.split(address).length - 1;
    expect.soft(times(calls[0])).toBe(calls.length);
    expect.soft(others.filter((address) => times(address) !== 1)).toEqual([]);
    // The words of an answer say that the links to the partner are at the end of the page.
    const ofFooter = await page
      .locator('footer a[target]')
      .evaluateAll((all) =>
        all.map((link) => `${link.firstChild?.textContent}${(link as HTMLAnchorElement).href}`),
      );
    expect(ofFooter).toHaveLength(2);
    expect.soft(ofFooter.filter((link) => !printed.includes(withoutSpaces(link)))).toEqual([]);
    expect.soft(times(new URL(page.url()).origin)).toBe(0);
  });

/**
 * Serves the pages of the build with another portal, whose policy has in its address what the
 * site's own links have.
 */
async function servePortal(page: Page, { host, code }: Link) {
  await page.route('**/*', async (route) => {
    const request = route.request();
    if (request.resourceType() !== 'document') return route.continue();
    // Only the browser knows the site's name.
    const response = await route.fetch({ url: request.url().replace(SITE_HOST, '127.0.0.1') });
    const html = (await response.text())
      .replaceAll(`${PORTAL_HOST}/privacy`, `${PORTAL_HOST}/privacy?ref=site&amp;utm_source=site`)
      .replaceAll('invitation_code=SMADRIVE', `invitation_code=${code ?? 'SMADRIVE'}`)
      .replaceAll(PORTAL_HOST, host);
    return route.fulfill({ response, body: html });
  });
}

const addressesOf = (page: Page, links: string): Promise<string[]> =>
  page.locator(links).evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));

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
      const words = [host + path, ...(await printedTexts(page))];
      const { sheets, printed } = await print(page, { format });
      expect.soft([code, sheets]).toEqual([code, 1]);
      expect(words.filter((text) => !printed.includes(withoutSpaces(text)))).toEqual([]);
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
