/** The leaflet of `site link`: on paper in both sizes, and through a camera. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page, TestInfo } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
import { readQrCodes, ZBARIMG } from '../helpers/browser/read-qr-code.ts';
import { distOf } from './build-sites.ts';
import { expect, test } from './fixtures.ts';

const SITE = 'https://sma-data-drive.example';
const UTM = ['source', 'medium', 'campaign', 'content', 'term'];

/** A part of the headline in each language, as a PDF has it: without spaces. */
const HEADLINES = { en: 'Oneroadforward', es: 'Unsolocamino' };

/** Runs the command as an operator does. @returns the leaflet's file URL, and the files' common path without ending */
function makeLeaflet(
  info: TestInfo,
  siteUrl: string,
  code: string,
  args: string[] = [],
  language: Language = 'en',
) {
  const dist = info.outputPath('dist');
  for (const file of ['site.json', 'leaflet.html', 'es', 'client']) {
    cpSync(join(distOf('tracked'), file), join(dist, file), { recursive: true });
  }
  const site = JSON.parse(readFileSync(join(dist, 'site.json'), 'utf8'));
  writeFileSync(join(dist, 'site.json'), JSON.stringify({ ...site, siteUrl }));
  const to = info.outputPath('leaflets');
  const options = ['--ref', code, '--language', language, '--to', to, '--build', dist, ...args];
  execFileSync(process.execPath, ['server/commands/site.ts', 'link', ...options]);
  const path = join(to, `link-${code}`);
  const ending = language === 'en' ? 'html' : `${language}.html`;
  return { path, url: pathToFileURL(`${path}.${ending}`).href };
}

async function openLeaflet(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(() => document.fonts.ready);
}

async function printOn(page: Page, format: 'A4' | 'Letter', path: string) {
  const bytes = await page.pdf({ path, format });
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(pdf, { mergePages: true });
  return { pages: pdf.numPages, text: text.replace(/\s+/g, '') };
}

for (const language of LANGUAGES) {
  test(`prints on one page, A4 and US Letter, with the address in words, in "${language}"`, async ({
    page,
  }, info) => {
    const short = makeLeaflet(info, SITE, 'clinic-7', ['--utm-source', 'leaflet'], language);
    // The longest code, a long host, and every parameter.
    const code = `${'long-code-'.repeat(6)}abcd`;
    const host = 'national-patient-data-initiative.organisation.example';
    const utm = UTM.flatMap((name) => [`--utm-${name}`, 'x'.repeat(64)]);
    const long = makeLeaflet(info, `https://${host}`, code, utm, language);
    for (const [{ url }, address] of [
      [short, `sma-data-drive.example${pathIn(language, '/r/clinic-7')}`],
      [long, `${host}${pathIn(language, '/r/')}${code}`],
    ] as const) {
      await openLeaflet(page, url);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      for (const format of ['A4', 'Letter'] as const) {
        const { pages, text } = await printOn(page, format, info.outputPath(`${format}.pdf`));
        expect.soft(pages, `${address} on ${format}`).toBe(1);
        expect(text).toContain(address);
        expect(text).toContain(HEADLINES[language]);
      }
    }
  });
}

test('a camera reads the code from the printed leaflet, from its dark screen, and from the file', async ({
  page,
}, info) => {
  test.skip(!existsSync(ZBARIMG), 'zbarimg is missing (Debian: zbar-tools)');
  const { path, url } = makeLeaflet(info, SITE, 'clinic-7', ['--utm-source', 'leaflet']);
  const address = `${SITE}/r/clinic-7?utm_source=leaflet`;
  // 210 × 297 mm at 96 dpi.
  await page.setViewportSize({ width: 794, height: 1123 });
  await openLeaflet(page, url);
  for (const state of [{ media: 'print' }, { media: 'screen', colorScheme: 'dark' }] as const) {
    await page.emulateMedia(state);
    const picture = info.outputPath(`${state.media}.png`);
    await page.screenshot({ path: picture, fullPage: true });
    expect(readQrCodes(picture)).toEqual([address]);
  }
  await page.goto(pathToFileURL(`${path}.svg`).href);
  const picture = info.outputPath('svg.png');
  await page.evaluate(() => document.documentElement.setAttribute('width', '500'));
  await page.evaluate(() => document.documentElement.setAttribute('height', '500'));
  await page.screenshot({ path: picture });
  expect(readQrCodes(picture)).toEqual([address]);
});
