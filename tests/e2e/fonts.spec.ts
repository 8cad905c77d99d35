/** The page's own two typefaces: they have every letter, are always shown, and move next to nothing where they arrive late. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { pathIn } from '#contract/language.ts';
import { makeFontSet } from '../helpers/browser/font-set.ts';
import { drawnFonts, lettered, shifts, started } from '../helpers/browser/page-waits.ts';
import { COUNTED_PAGES } from '../helpers/browser/site-pages.ts';
import { textOf } from '../helpers/run/built-pages.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { distOf } from './build-sites.ts';
import { test as base, expect } from './fixtures.ts';

/** Phones, tablets and desktops in CSS pixels. The first five are the most common ones: nothing moves there. */
const VIEWS = [
  ...[
    [360, 800],
    [390, 844],
    [1366, 768],
    [1536, 864],
    [1920, 1080],
  ],
  ...[
    [320, 568],
    [430, 932],
    [768, 1024],
    [1280, 720],
    [2560, 1440],
  ],
] as [number, number][];
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

const test = base.extend<{ launch: (fonts: string[]) => Promise<OpenPage> }>({
  /** Starts a browser with these fonts, and opens the page on a network that delays the web fonts. */
  launch: async ({ playwright, launchOptions, world }, use) => {
    const closing: (() => Promise<void> | void)[] = [];
    await use(async (fonts) => {
      const set = await makeFontSet(fonts.map((name) => `${name}.ttf`));
      const env = { ...process.env, ...launchOptions.env, ...set.env };
      const browser = await playwright.chromium.launch({ ...launchOptions, env });
      closing.push(() => browser.close(), set.remove);
      return async (path, options) => {
        const page = await browser.newPage(options);
        world.slow.hold(/\.woff2$/);
        await page.goto(new URL(path, world.slow.url).href, { waitUntil: 'domcontentloaded' });
        return page;
      };
    });
    world.slow.release();
    for (const close of closing) await close();
  },
});

const ONLY_LINUX = 'only fontconfig, on Linux, lets a test choose the fonts';
if (process.platform !== 'linux') reportSkipped('browser tests with chosen fonts', ONLY_LINUX);

test.describe('on machines with other fonts', () => {
  test.skip(process.platform !== 'linux', ONLY_LINUX);

  // Each machine shows another share of the sizes, so that every machine and every size is seen.
  for (const [share, [name, fonts]] of Object.entries(MACHINES).entries()) {
    test(`with ${name} late typefaces move next to nothing`, async ({ launch, world }) => {
      const open = await launch(fonts);
      for (const language of ['en', 'es'] as const) {
        for (const view of VIEWS.filter((_, i) => i % Object.keys(MACHINES).length === share)) {
          const [width, height] = view;
          const page = await open(pathIn(language, '/'), { viewport: { width, height } });
          await started(page);
          const place = `${language} ${width} × ${height}`;
          expect.soft(await fontsInUse(page), place).not.toEqual(WEB_FONTS);
          world.slow.release();
          await lettered(page);
          expect.soft(await fontsInUse(page), place).toEqual(WEB_FONTS);
          const moved = await shifts(page);
          expect.soft(moved, place).toBeLessThanOrEqual(COMMON.includes(view) ? 0 : MOST);
          await page.close();
        }
      }
    });
  }

  test('also on help pages and without script', async ({ launch, world }) => {
    const open = await launch(MACHINES.DejaVu);
    for (const [i, path] of ['/help/questions/', '/es/help/', '/es/help/privacy/'].entries()) {
      for (const [width, height] of COMMON.filter((_, view) => view % 3 === i)) {
        const page = await open(path, { viewport: { width, height } });
        await started(page);
        world.slow.release();
        await lettered(page);
        const place = `${path} ${width} × ${height}`;
        expect.soft(await drawnFonts(page, 'h1'), place).toEqual([WEB_FONTS[0]]);
        expect.soft(await shifts(page), place).toBeLessThanOrEqual(MOST_OF_HELP);
        await page.close();
      }
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

const FILES = {
  Newsreader: 'newsreader-display',
  'Atkinson Hyperlegible Next': 'atkinson-text',
};

test('both typefaces have every letter of every page', async ({ page }) => {
  const letters = [...new Set(COUNTED_PAGES.flatMap(lettersOf))].join('');
  expect(letters.length).toBeGreaterThan(70);
  await page.goto('/help/');
  for (const [family, file] of Object.entries(FILES)) {
    const bytes = readFileSync(`renderer/fonts/${file}.woff2`).toString('base64');
    await page.evaluate(draw, { family, bytes, letters });
    const drawn = await drawnFonts(page, '#letters');
    expect.soft(drawn).toEqual([WEB_FONTS.find((name) => name.startsWith(family))]);
  }
});

/** The letters of a built page. Code has a typeface of the visitor's. */
function lettersOf(path: string): string[] {
  const html = readFileSync(join(distOf('form'), 'client', path, 'index.html'), 'utf8');
  const text = textOf(html.replace(/<code>.*?<\/code>/gs, ''));
  return [...text].filter((letter) => letter.trim());
}

/** Runs in the page. Draws the letters in a typeface. */
async function draw(typeface: { family: string; bytes: string; letters: string }): Promise<void> {
  const bytes = Uint8Array.from(atob(typeface.bytes), (letter) => letter.charCodeAt(0));
  document.fonts.add(await new FontFace(typeface.family, bytes).load());
  const words = document.createElement('p');
  words.id = 'letters';
  words.style.fontFamily = `"${typeface.family}", monospace`;
  words.textContent = typeface.letters;
  document.body.replaceChildren(words);
}
