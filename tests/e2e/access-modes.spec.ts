import type { Locator, Page, TestInfo } from '@playwright/test';
import { pathIn } from '#contract/language.ts';
import { allOf } from '../helpers/browser/all-of.ts';
import { edgeOf } from '../helpers/browser/box-edge.ts';
import { visiblyChanged } from '../helpers/browser/image-diff.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { calm, scrollThrough, wake } from '../helpers/browser/page-steps.ts';
import { weakColours } from '../helpers/browser/weak-colours.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, landingIn } from './routes.ts';

test.use({ build: 'form' });

/** One style colours the pages of every language, so one scheme is enough for the Spanish words. */
const VIEWS = [
  ['/', 'light'],
  ['/', 'dark'],
  [pathIn('es', '/'), 'dark'],
] as const;

/** Keeps a picture with the results of the run, for a person to look at. */
const keepPicture = (page: Page, info: TestInfo, name: string) =>
  page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true });

for (const path of EVERY_LANGUAGE.map(landingIn)) {
  test(`T6 reduced motion in ${path}: nothing runs, nothing waits to come in, the view jumps`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(path);
    const unseen = () =>
      page.locator('[data-reveal]').evaluateAll((elements) =>
        elements
          .map((element) => getComputedStyle(element))
          .map(({ opacity, transform, translate }) => `${opacity} ${transform} ${translate}`)
          .filter((look) => look !== '1 none none'),
      );
    await expect(page.locator('[data-reveal=waiting]').first()).toBeAttached();
    expect(await unseen()).toEqual([]);
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(window, { motions: seen });
      const watch = () => {
        for (const animation of document.getAnimations()) {
          if (animation.playState === 'running') seen.add(animation.constructor.name);
        }
        requestAnimationFrame(watch);
      };
      watch();
    });
    await scrollThrough(page);
    expect(await unseen()).toEqual([]);
    await page.locator('footer a[href="#about"]').click();
    expect(
      await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior),
    ).toBe('auto');
    const motions = () =>
      page.evaluate(() => [...(window as unknown as { motions: Set<string> }).motions]);
    expect(await motions()).toEqual([]);
  });
}

test.describe('T7 forced colours', () => {
  test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

  for (const [path, colorScheme] of VIEWS) {
    test(`${path}, ${colorScheme}: controls and boxes keep an edge, bars stand out, focus is an outline`, async ({
      page,
    }, info) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 1280, height: 1600 }); // The form's whole box fits.
      await page.goto(path);
      await wake(page);
      await keepPicture(page, info, `forced-colours-${colorScheme}`);
      const EDGED = [
        ...['[data-cta]', 'footer nav a', '[data-island=opt-out] button', 'form button'],
        'form input:not([type=radio], [type=checkbox], [data-trap] *)',
        ...['main form', '[data-island=video] a', 'figure[aria-labelledby=story]'],
      ];
      for (const box of await allOf(page, EDGED)) {
        const edge = await edgeOf(page, box);
        expect
          .soft(edge, `${await box.textContent()}: share of the edge seen`)
          .toBeGreaterThan(0.8);
      }
      for (const bar of await allOf(page, ['dd:first-of-type svg', 'dd:last-of-type svg'])) {
        expect.soft(await edgeOf(page, bar), 'the bar').toBeGreaterThan(0.8);
        expect.soft(await fillContrast(page, bar), 'the bar’s fill').toBeGreaterThanOrEqual(3);
      }
      const cta = page.locator('[data-cta=hero]');
      await cta.scrollIntoViewIfNeeded();
      const before = await page.screenshot();
      await cta.focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      await calm(page);
      const { width, height } = (await cta.boundingBox()) ?? { width: 0, height: 0 };
      const changed = visiblyChanged(before, await page.screenshot());
      expect(changed).toBeGreaterThanOrEqual(4 * (width + height));
      expect(await cta.evaluate((link) => getComputedStyle(link).boxShadow)).toBe('none');
    });
  }
});

/** The contrast of a bar's filled part with the ground around the bar. */
async function fillContrast(page: Page, bar: Locator): Promise<number> {
  return bar
    .locator('rect')
    .evaluate(
      (rect, { parse, contrast, backgroundOf }) =>
        contrast(parse(getComputedStyle(rect).fill), backgroundOf(rect)),
      await pageLook(page),
    );
}

for (const [path, colorScheme] of VIEWS) {
  test(`T8 more contrast in ${path}, ${colorScheme}: all words at 7:1, all lines at 3:1, nothing translucent`, async ({
    page,
  }, info) => {
    await page.emulateMedia({ contrast: 'more', colorScheme, reducedMotion: 'reduce' });
    await page.goto(path);
    await wake(page);
    await keepPicture(page, info, `more-contrast-${colorScheme}`);
    const { pale, faint, translucent } = await weakColours(page);
    expect.soft(pale).toEqual([]);
    expect.soft(faint).toEqual([]);
    expect.soft(translucent).toEqual([]);
  });
}
