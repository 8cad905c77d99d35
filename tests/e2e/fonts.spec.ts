/**
 * The page's own two typefaces: they have every letter, and move next to nothing where they arrive
 * late.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { makeFontSet } from '../helpers/browser/font-set.ts';
import { drawnFonts, fontsLoaded, layoutShift, moduleRan } from '../helpers/browser/page-waits.ts';
import { COUNTED_PAGES } from '../helpers/browser/site-pages.ts';
import { distOf } from '../helpers/run/build-sites.ts';
import { reportSkipped } from '../helpers/run/find-programs.ts';
import { textOf } from '../helpers/words/page-text.ts';
import { test as base, expect } from './fixtures.ts';

/** The most common sizes of phones and desktops, in CSS pixels: nothing moves there. */
const COMMON = [
  '360x800',
  '390x844',
  '393x852',
  '1024x768',
  '1366x768',
  '1440x844',
  '1536x864',
  '1920x1080',
];
/** The most that may move elsewhere. Browsers call 0.1 good. */
const MOST = 0.02;
const WEB_FONTS = ['Newsreader 16pt', 'Atkinson Hyperlegible Next', 'Atkinson Hyperlegible Next'];

/**
 * The fonts of a machine, which draw the words before the web fonts arrive, and the sizes at which
 * they are seen: in English and in Spanish by turns.
 */
const MACHINES = [
  [
    ['DejaVuSerif', 'DejaVuSans', 'DejaVuSans-Bold'],
    ['360x800', '1920x1080'],
  ],
  [
    ['LiberationSerif-Regular', 'LiberationSans-Regular', 'LiberationSans-Bold'],
    ['390x844', '320x568', '393x852', '1024x768', '1024x768', '1440x844'],
  ],
  [
    ['NotoSerif-Regular', 'Roboto-Regular', 'Roboto-Bold'],
    ['1366x768', '430x932'],
  ],
  [
    ['NotoSerif-Regular', 'NotoSans-Regular', 'NotoSans-Bold'],
    ['1536x864', '768x1024'],
  ],
] as const;

type OpenPage = (path: string, options: BrowserContextOptions) => Promise<Page>;

const test = base.extend<{ fonts: readonly string[]; open: OpenPage }>({
  fonts: [MACHINES[0][0], { option: true }],
  /**
   * Opens a page in a browser that has only these fonts, on a network that delays the web fonts.
   */
  open: async ({ playwright, launchOptions, world, fonts }, use) => {
    const set = makeFontSet(fonts.map((name) => `${name}.ttf`));
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

const isLinux = process.platform === 'linux';
if (!isLinux) reportSkipped('browser tests with chosen fonts', 'fontconfig is only on Linux');

test.describe('on machines with other fonts', () => {
  test.skip(!isLinux, 'only fontconfig, on Linux, lets a test choose the fonts');

  for (const [fonts, sizes] of MACHINES) {
    test.describe(() => {
      test.use({ fonts });

      test(`with ${fonts[1]} late typefaces move next to nothing`, async ({ open, world }) => {
        for (const [i, size] of sizes.entries()) {
          const [width = 0, height = 0] = size.split('x').map(Number);
          const page = await open(i % 2 === 0 ? '/' : '/es/', { viewport: { width, height } });
          await moduleRan(page);
          expect.soft(await fontsInUse(page), size).not.toEqual(WEB_FONTS);
          world.slow.release();
          await fontsLoaded(page);
          expect.soft(await fontsInUse(page), size).toEqual(WEB_FONTS);
          const most = COMMON.includes(size) ? 0 : MOST;
          expect.soft(await layoutShift(page), size).toBeLessThanOrEqual(most);
          await page.close();
        }
      });
    });
  }
});

/** The fonts of the heading, the words and a bold line in the hero. */
async function fontsInUse(page: Page): Promise<string[]> {
  const fonts = [];
  for (const part of ['h1', 'h1 + p', 'p:has(+ h1)']) fonts.push(...(await drawnFonts(page, part)));
  return fonts;
}

test('both typefaces have every letter of every page', async ({ page }) => {
  const letters = [...new Set(COUNTED_PAGES.flatMap(lettersOf))].join('');
  expect(letters.length).toBeGreaterThan(70);
  await page.goto('/');
  await fontsLoaded(page);
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
