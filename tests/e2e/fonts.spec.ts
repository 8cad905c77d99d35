/** The page's own two typefaces: they have every letter, are always shown, and move next to nothing where they arrive late. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { makeFontSet } from '../helpers/browser/font-set.ts';
import { drawnFonts, lettered, shifts, started } from '../helpers/browser/page-waits.ts';
import { COUNTED_PAGES } from '../helpers/browser/site-pages.ts';
import { textOf } from '../helpers/run/built-pages.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { distOf } from './build-sites.ts';
import { test as base, expect } from './fixtures.ts';

/** Phones, tablets and desktops in CSS pixels. The first five are the most common ones: nothing moves there. */
const VIEWS = [
  ...['360x800', '390x844', '1366x768', '1536x864', '1920x1080'],
  ...['320x568', '430x932', '768x1024', '1280x720', '2560x1440'],
].map((size) => size.split('x').map(Number) as [number, number]);
const COMMON = VIEWS.slice(0, 5);
/** The most that may move elsewhere. Browsers call 0.1 good. */
const MOST = 0.02;
/** Help pages are long texts without measures of their own. The most seen is 0.036. */
const MOST_OF_HELP = 0.05;
const WEB_FONTS = ['Newsreader 16pt', 'Atkinson Hyperlegible Next', 'Atkinson Hyperlegible Next'];

/** The fonts of a machine, and those that draw heading, words and button before the web fonts arrive. */
const MACHINES = {
  DejaVu: ['DejaVuSerif', 'DejaVuSans', 'DejaVuSans-Bold'],
  Liberation: ['LiberationSerif-Regular', 'LiberationSans-Regular', 'LiberationSans-Bold'],
  Roboto: ['NotoSerif-Regular', 'Roboto-Regular', 'Roboto-Bold'],
  Noto: ['NotoSerif-Regular', 'NotoSans-Regular', 'NotoSans-Bold'],
};

type OpenPage = (path: string, options: BrowserContextOptions) => Promise<Page>;

const test = base.extend<{ fonts: string[]; open: OpenPage }>({
  fonts: [MACHINES.DejaVu, { option: true }],
  /** Opens a page in a browser that has only these fonts, on a network that delays the web fonts. */
  open: async ({ playwright, launchOptions, world, fonts }, use) => {
    const set = await makeFontSet(fonts.map((name) => `${name}.ttf`));
    const env = { ...process.env, ...launchOptions.env, ...set.env };
    const browser = await playwright.chromium.launch({ ...launchOptions, env });
    await use(async (path, options) => {
      const page = await browser.newPage(options);
      world.slow.hold(/\.woff2$/);
      await page.goto(new URL(path, world.slow.url).href, { waitUntil: 'domcontentloaded' });
      return page;
    });
    world.slow.release();
    await browser.close();
    set.remove();
  },
});

const ONLY_LINUX = 'only fontconfig, on Linux, lets a test choose the fonts';
if (process.platform !== 'linux') reportSkipped('browser tests with chosen fonts', ONLY_LINUX);

test.describe('on machines with other fonts', () => {
  test.skip(process.platform !== 'linux', ONLY_LINUX);

  // Each machine shows another share of the sizes, so that every machine and every size is seen.
  for (const [share, [name, fonts]] of Object.entries(MACHINES).entries()) {
    test.describe(() => {
      test.use({ fonts });

      test(`with ${name} late typefaces move next to nothing`, async ({ open, world }) => {
        const views = VIEWS.filter((_, i) => i % Object.keys(MACHINES).length === share);
        for (const [view, path] of views.flatMap(
          (view) =>
            [
              [view, '/'],
              [view, '/es/'],
            ] as const,
        )) {
          const [width, height] = view;
          const page = await open(path, { viewport: { width, height } });
          await started(page);
          const place = `${path} ${width} × ${height}`;
          expect.soft(await fontsInUse(page), place).not.toEqual(WEB_FONTS);
          world.slow.release();
          await lettered(page);
          expect.soft(await fontsInUse(page), place).toEqual(WEB_FONTS);
          expect
            .soft(await shifts(page), place)
            .toBeLessThanOrEqual(COMMON.includes(view) ? 0 : MOST);
          await page.close();
        }
      });
    });
  }

  test('also on help pages and without script', async ({ open, world }) => {
    for (const [path, width, height] of [
      ['/help/questions/', 360, 800],
      ['/es/help/', 390, 844],
      ['/es/help/privacy/', 1366, 768],
    ] as const) {
      const page = await open(path, { viewport: { width, height } });
      await started(page);
      world.slow.release();
      await lettered(page);
      expect.soft(await drawnFonts(page, 'h1'), path).toEqual([WEB_FONTS[0]]);
      expect.soft(await shifts(page), path).toBeLessThanOrEqual(MOST_OF_HELP);
      await page.close();
    }
    const page = await open('/', { javaScriptEnabled: false });
    world.slow.release();
    await expect.poll(() => fontsInUse(page)).toEqual(WEB_FONTS);
  });
});

/** The fonts of the heading, the words and a bold line in the hero. */
async function fontsInUse(page: Page): Promise<string[]> {
  const fonts = [];
  for (const part of ['h1', 'h1 + p', 'p:has(+ h1)']) fonts.push(...(await drawnFonts(page, part)));
  return fonts;
}

test.describe('where a typeface does not load', () => {
  test.use({ expectedComplaints: /Failed to load resource|ERR_FAILED/ });

  test('the other is used, without a message', async ({ page }) => {
    await page.route('**/newsreader*.woff2', (route) => route.abort());
    await page.goto('/');
    await expect.poll(() => drawnFonts(page, 'h1 + p')).toEqual(['Atkinson Hyperlegible Next']);
    expect(await drawnFonts(page, 'h1')).not.toEqual(['Newsreader 16pt']);
  });
});

test('both typefaces have every letter of every page', async ({ page }) => {
  const letters = [...new Set(COUNTED_PAGES.flatMap(lettersOf))].join('');
  expect(letters.length).toBeGreaterThan(70);
  await page.goto('/');
  await lettered(page);
  for (const family of ['Newsreader', 'Atkinson Hyperlegible Next']) {
    await page.locator('h1').evaluate(
      (heading, [family, letters]) => {
        heading.style.fontFamily = `"${family}", monospace`;
        heading.textContent = letters;
      },
      [family, letters] as const,
    );
    const font = WEB_FONTS.find((name) => name.startsWith(family));
    await expect.poll(() => drawnFonts(page, 'h1')).toEqual([font]);
  }
});

/** The letters of a built page. Code has a typeface of the visitor's. */
function lettersOf(path: string): string[] {
  const html = readFileSync(join(distOf('form'), 'client', path, 'index.html'), 'utf8');
  const text = textOf(html.replace(/<code>.*?<\/code>/gs, ''));
  return [...text].filter((letter) => letter.trim());
}
