import type { Page } from '@playwright/test';
import { pathIn } from '#contract/language.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { paperFaults, print, squeezed, wordsOfMain } from '../helpers/browser/paper.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const MAX_PAGES = 4;
/** The form, and the words about the film, which has no place on paper. */
const LEFT_OUT = 'form, div:has(> [data-island="video"])';
const PORTAL = 'https://portal.example/create-account?invitation_code=SMADRIVE';

for (const [path, colorScheme] of [
  ['/', 'light'],
  ['/', 'dark'],
  [pathIn('es', '/'), 'light'],
] as const) {
  test.describe(() => {
    test.use({ colorScheme });

    test(`T10 print of ${path}, from a ${colorScheme} screen: every word and address, dark on white, on four pages`, async ({
      page,
    }, info) => {
      await page.goto(path);
      await wake(page);
      const file = info.outputPath('page.pdf');
      const { sheets, printed } = await print(page, { path: file, format: 'Letter' });
      expect(sheets).toBeLessThanOrEqual(MAX_PAGES);
      expect(printed).toContain(PORTAL);
      const all = await wordsOfMain(page, LEFT_OUT);
      expect(all.length).toBeGreaterThan(40);
      for (const words of all) expect.soft(printed).toContain(squeezed(words));

      await page.emulateMedia({ media: 'print' });
      await page.screenshot({ path: info.outputPath('print.png'), fullPage: true });
      expect(await paperFaults(page)).toEqual([]);
    });
  });
}

for (const width of [720, 1440]) {
  test(`print at ${width} px: each address once, headings with their text, and nothing beyond the page`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await wake(page);
    await page.emulateMedia({ media: 'print' });
    const words = await page.locator('body').innerText();
    expect(words).not.toMatch(/opens in new tab|See it in one minute|Read the film/);
    expect(words.match(/Questions and facts\s+https?:\S+\/help\//g)).toHaveLength(1);
    for (const link of await page.locator('figure a').all()) {
      await expect(link).not.toHaveCSS('display', /flex/);
    }
    expect(await misplaced(page)).toEqual([]);
  });
}

/** Headings that are nearer to the text above than to their own, text below its number, boxes beyond the page, and voids. */
async function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const MAX_VOID_PX = 100;
    const box = (element: Element) => element.getBoundingClientRect();
    const texts = [...document.querySelectorAll('main :is(h1, h2, h3, p, a, li, figure)')]
      .filter((element) => element.checkVisibility())
      .filter((element) => box(element).height > 0);
    const faults: string[] = [];
    for (const heading of texts.filter(({ tagName }) => tagName === 'H2')) {
      const { top, bottom } = box(heading);
      const above = Math.max(...texts.map((text) => box(text).bottom).filter((y) => y <= top));
      const below = Math.min(...texts.map((text) => box(text).top).filter((y) => y >= bottom));
      if (top - above <= below - bottom) faults.push(`near the text above: ${heading.id}`);
      if (top - above > MAX_VOID_PX) faults.push(`below a void: ${heading.id}`);
    }
    for (const text of document.querySelectorAll('ol p')) {
      const number = text.closest('li')?.querySelector('[aria-hidden]:not(svg)');
      if (!number || box(number).right > box(text).left) faults.push('text below its number');
    }
    for (const text of texts) {
      if (box(text).right > innerWidth) faults.push(`beyond the page: ${text.tagName}`);
    }
    return faults;
  });
}
