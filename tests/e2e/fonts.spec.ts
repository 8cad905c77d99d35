/**
 * The page on machines with different fonts, in browsers that have only those. The web fonts arrive late, and must not
 * move anything. `docs/results/page.md` has the measured shifts: FONTS_REPORT=1 prints them.
 */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { makeFontSet } from '../helpers/browser/font-set.ts';
import { started } from '../helpers/browser/page-steps.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
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

type OpenPage = (options: BrowserContextOptions) => Promise<Page>;

const test = base.extend<{ launch: (fonts: string[]) => Promise<OpenPage> }>({
  /** Starts a browser with these fonts, and opens the page on a network that delays the web fonts. */
  launch: async ({ playwright, launchOptions, world }, use) => {
    const closing: (() => Promise<void> | void)[] = [];
    await use(async (fonts) => {
      const set = makeFontSet(fonts.map((name) => `${name}.ttf`));
      const env = { ...process.env, ...launchOptions.env, ...set.env };
      const browser = await playwright.chromium.launch({ ...launchOptions, env });
      closing.push(() => browser.close(), set.remove);
      return async (options) => {
        const page = await browser.newPage(options);
        world.slow.hold(/\.woff2$/);
        await page.goto(world.slow.url, { waitUntil: 'domcontentloaded' });
        return page;
      };
    });
    world.slow.release();
    for (const close of closing) await close();
  },
});

const ONLY_LINUX = 'only fontconfig, on Linux, lets a test choose the fonts';
if (process.platform !== 'linux') reportSkipped('browser tests with chosen fonts', ONLY_LINUX);
test.skip(process.platform !== 'linux', ONLY_LINUX);

for (const [name, fonts] of Object.entries(KNOWN)) {
  test(`with ${name} the web fonts arrive late and move nothing`, async ({ launch, world }) => {
    const open = await launch(fonts);
    for (const [view, viewport] of Object.entries(VIEWS)) {
      const page = await open({ viewport });
      await started(page);
      expect(await fontsInUse(page), view).toEqual(fonts.map(postScriptName));
      world.slow.release();
      await settle(page);
      expect(await fontsInUse(page), view).toEqual(WEB_FONTS);
      expect(await reportedShifts(page, name, view), view).toBe(0);
    }
  });
}

test('with no known font the words keep theirs, nothing moves, and bold is bold', async ({
  launch,
  world,
}) => {
  const open = await launch(UNKNOWN);
  for (const [view, viewport] of Object.entries(VIEWS)) {
    const page = await open({ viewport });
    await started(page);
    expect(await inkOf(page, '700'), view).toBeGreaterThan(1.1 * (await inkOf(page, '400')));
    const before = await fontsInUse(page);
    world.slow.release();
    await settle(page);
    expect(await fontsInUse(page), view).toEqual(before);
    expect(await reportedShifts(page, 'no known font', view), view).toBe(0);
  }
});

test('web fonts that arrive while the visitor reads further down move nothing', async ({
  launch,
  world,
}) => {
  // Without the heading's own motion, which is up to 12 px.
  const open = await launch(KNOWN.DejaVu);
  const page = await open({ viewport: VIEWS.phone, reducedMotion: 'reduce' });
  await started(page);
  const heading = page.locator('#benefits');
  await heading.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
  await expect(heading).toBeInViewport();
  const before = await heading.boundingBox();
  world.slow.release();
  await lettered(page);
  expect(Math.abs(((await heading.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(3);
  expect(await shifts(page)).toBe(0);
});

test('without script and without a known font the words keep their places', async ({
  launch,
  world,
}) => {
  const open = await launch(UNKNOWN);
  const page = await open({ viewport: VIEWS.phone, javaScriptEnabled: false });
  const words = page.locator('[data-cta=hero]');
  const before = await words.boundingBox();
  const fonts = await fontsInUse(page);
  world.slow.release();
  await page.waitForLoadState('networkidle');
  expect(await words.boundingBox()).toEqual(before);
  expect(await fontsInUse(page)).toEqual(fonts);
});

/** Selectors of the heading, the words and a bold line in the hero. */
async function fontsInUse(page: Page): Promise<string[]> {
  const fonts = [];
  for (const part of ['h1', 'h1 + p', 'p:has(+ h1)']) fonts.push(...(await drawnFonts(page, part)));
  return fonts;
}

/** Liberation's regular fonts leave the weight out of their names. */
const postScriptName = (file: string) => file.replace(/^(Liberation\w+)-Regular$/, '$1');

async function reportedShifts(page: Page, fonts: string, view: string): Promise<number> {
  const sum = await shifts(page);
  if (process.env.FONTS_REPORT) process.stdout.write(`${fonts}, ${view}: ${sum.toFixed(3)}\n`);
  return sum;
}

/** How many dots of the button's label are drawn in the colour of the letters, at a weight. */
async function inkOf(page: Page, weight: string): Promise<number> {
  const label = page.locator('[data-cta=hero] b');
  await label.evaluate((element, weight) => {
    element.style.fontWeight = weight;
  }, weight);
  const { data } = PNG.sync.read(await label.screenshot());
  let ink = 0;
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 0) > 200) ink++;
  return ink;
}
