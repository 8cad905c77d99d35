import { allOf } from '../helpers/browser/all-of.ts';
import { edgeOf } from '../helpers/browser/box-edge.ts';
import { visiblyChanged } from '../helpers/browser/image-diff.ts';
import { calm, scrollThrough, toolsReady } from '../helpers/browser/page-steps.ts';
import { weakColours } from '../helpers/browser/weak-colours.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, helpPagesIn, MISSING_COMPLAINT, plainPagesIn } from './routes.ts';

test.use({ build: 'full', expectedComplaints: MISSING_COMPLAINT });

for (const language of EVERY_LANGUAGE) {
  test(`T6 reduced motion in the help pages (${language}): nothing runs, and the view jumps`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.addInitScript(() => {
      const motions: string[] = [];
      Object.assign(window, { motions });
      for (const type of ['transitionrun', 'animationstart']) {
        document.addEventListener(type, ({ target }) => motions.push((target as Element).tagName));
      }
    });
    for (const path of plainPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      await scrollThrough(page);
      const { motions, behaviour } = await page.evaluate(() => ({
        motions: (window as unknown as { motions: string[] }).motions,
        behaviour: getComputedStyle(document.documentElement).scrollBehavior,
      }));
      expect.soft(motions, path).toEqual([]);
      expect.soft(behaviour, path).toBe('auto');
    }
  });

  test(`T8 more contrast in the help pages (${language}), light and dark: all words at 7:1, all lines at 3:1, nothing translucent`, async ({
    page,
  }) => {
    for (const path of plainPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ contrast: 'more', colorScheme, reducedMotion: 'reduce' });
        await calm(page);
        const weak = await weakColours(page);
        expect
          .soft(weak, `${path}, ${colorScheme}`)
          .toEqual({ pale: [], faint: [], translucent: [] });
      }
    }
  });
}

test.describe('T7 forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

  for (const language of EVERY_LANGUAGE) {
    test(`help pages (${language}): the call to action keeps an edge, and its focus is an outline`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: language === 'en' ? 'light' : 'dark' });
      for (const path of helpPagesIn(language)) {
        await page.goto(path);
        await toolsReady(page);
        for (const box of await allOf(page, ['[data-cta]'])) {
          const edge = await edgeOf(page, box);
          expect.soft(edge, `${path}: share of the edge seen`).toBeGreaterThan(0.8);
        }
        const cta = page.locator('[data-cta=help]');
        const before = await page.screenshot();
        await cta.focus();
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Tab');
        await calm(page);
        const { width, height } = (await cta.boundingBox()) ?? { width: 0, height: 0 };
        const changed = visiblyChanged(before, await page.screenshot());
        expect.soft(changed, path).toBeGreaterThanOrEqual(4 * (width + height));
        expect.soft(await cta.evaluate((link) => getComputedStyle(link).boxShadow)).toBe('none');
      }
    });
  }
});
