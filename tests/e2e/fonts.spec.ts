/**
 * The page on machines with different fonts, in browsers that have only those. The web fonts arrive late, and must not
 * move anything. `docs/results/page.md` has the measured shifts: FONTS_REPORT=1 prints them.
 */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { makeFontSet } from '../helpers/font-set.ts';
import { started } from '../helpers/page-steps.ts';
import { test as base, drawnFonts, expect, lettered, settle, shifts } from './fixtures.ts';

const VIEWS = {
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
};
const WEB_FONTS = ['Newsreader 16pt', 'Atkinson Hyperlegible Next', 'Atkinson Hyperlegible Next'];

/** The fonts of a machine, and those that draw heading, words and button before the web fonts arrive. */
const KNOWN = {
  DejaVu: ['DejaVuSerif', 'DejaVuSans', 'DejaVuSans-Bold'],
  Liberation: ['LiberationSerif-Regular', 'LiberationSans-Regular', 'LiberationSans-Bold'],
  Roboto: ['NotoSerif-Regular', 'Roboto-Regular', 'Roboto-Bold'],
  Noto: ['NotoSerif-Regular', 'NotoSans-Regular', 'NotoSans-Bold'],
};
const UNKNOWN = ['DejaVuSansMono'];

type Open = (fonts: string[], options: BrowserContextOptions) => Promise<Page>;

const test = base.extend<{ open: Open }>({
  /** Opens the page in a browser with these fonts, on a network that holds the web fonts back. */
  open: async ({ playwright, launchOptions, world }, use) => {
    const closing: (() => Promise<void> | void)[] = [];
    await use(async (fonts, options) => {
      const set = makeFontSet(fonts.map((name) => `${name}.ttf`));
      const env = { ...process.env, ...launchOptions.env, ...set.env };
      const browser = await playwright.chromium.launch({ ...launchOptions, env });
      closing.push(() => browser.close(), set.remove);
      const page = await browser.newPage(options);
      world.slow.hold(/\.woff2$/);
      await page.goto(world.slow.url, { waitUntil: 'domcontentloaded' });
      return page;
    });
    world.slow.release();
    for (const close of closing) await close();
  },
});

test.skip(process.platform !== 'linux', 'only fontconfig lets a test choose the fonts');

for (const [name, fonts] of Object.entries(KNOWN)) {
  for (const [view, viewport] of Object.entries(VIEWS)) {
    test(`with ${name} the web fonts arrive late and move nothing: ${view}`, async ({
      open,
      world,
    }) => {
      const page = await open(fonts, { viewport });
      await started(page);
      expect(await fontsInUse(page)).toEqual(fonts.map(postScriptName));
      world.slow.release();
      await settle(page);
      expect(await fontsInUse(page)).toEqual(WEB_FONTS);
      expect(await reported(page, name, view)).toBe(0);
    });
  }
}

for (const [view, viewport] of Object.entries(VIEWS)) {
  test(`with no known font the words keep theirs, and nothing moves: ${view}`, async ({
    open,
    world,
  }) => {
    const page = await open(UNKNOWN, { viewport });
    await started(page);
    const before = await fontsInUse(page);
    world.slow.release();
    await settle(page);
    expect(await fontsInUse(page)).toEqual(before);
    expect(await reported(page, 'unknown', view)).toBe(0);
  });
}

test('web fonts that arrive while the visitor reads further down move nothing', async ({
  open,
  world,
}) => {
  const page = await open(KNOWN.DejaVu, { viewport: VIEWS.phone });
  await started(page);
  await page.locator('#benefits').scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollBy({ top: 100, behavior: 'instant' }));
  const heading = page.locator('#benefits h2');
  const before = await heading.boundingBox();
  world.slow.release();
  await lettered(page);
  expect(Math.abs(((await heading.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(3);
  expect(await shifts(page)).toBe(0);
});

test('without script and without a known font the words keep their places', async ({
  open,
  world,
}) => {
  const page = await open(UNKNOWN, { viewport: VIEWS.phone, javaScriptEnabled: false });
  const words = page.locator('h1, .lede, .cta').first();
  const before = await words.boundingBox();
  world.slow.release();
  await page.waitForLoadState('networkidle');
  expect(await words.boundingBox()).toEqual(before);
});

for (const [name, fonts] of Object.entries({ ...KNOWN, 'no known font': UNKNOWN })) {
  test(`with ${name} the button is bold before the web fonts arrive`, async ({ open }) => {
    const page = await open(fonts, { viewport: VIEWS.phone });
    const bold = await inkOf(page);
    await page.locator('.hero .cta b').evaluate((label) => {
      label.style.fontWeight = '400';
    });
    expect(bold).toBeGreaterThan((await inkOf(page)) * 1.1);
  });
}

/** Of the heading, the words and the button in the hero. */
async function fontsInUse(page: Page): Promise<string[]> {
  const fonts = [];
  for (const part of ['h1', '.hero .lede', '.hero .cta b']) {
    fonts.push(...(await drawnFonts(page, part)));
  }
  return fonts;
}

/** Liberation's regular fonts leave the weight out of their names. */
const postScriptName = (file: string) => file.replace(/^(Liberation\w+)-Regular$/, '$1');

async function reported(page: Page, fonts: string, view: string): Promise<number> {
  const sum = await shifts(page);
  if (process.env.FONTS_REPORT) process.stdout.write(`${fonts}, ${view}: ${sum.toFixed(3)}\n`);
  return sum;
}

/** How many dots of the button's label are drawn in the colour of the letters. */
async function inkOf(page: Page): Promise<number> {
  const { data } = PNG.sync.read(await page.locator('.hero .cta b').screenshot());
  let ink = 0;
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 0) > 200) ink++;
  return ink;
}
