import { allOf } from '../helpers/browser/all-of.ts';
import { lengthenTexts } from '../helpers/browser/lengthen-texts.ts';
import {
  enlargeText,
  fixedHeight,
  layoutFaults,
  widenSpacing,
} from '../helpers/browser/page-layout.ts';
import { calm, wake } from '../helpers/browser/page-steps.ts';
import { ctaFaults, targetFaults, targetsOf } from '../helpers/browser/targets.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, landingIn } from './routes.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

/** Controls that both languages have, whatever their words. */
const SWITCH = '[data-island=opt-out] button';
const DISMISS = '[data-toast] button';
const REGISTER = 'form button';

for (const language of EVERY_LANGUAGE) {
  const path = landingIn(language);

  for (const width of [320, 1280]) {
    test(`T3 targets of ${path} at ${width} px: large, apart, and away from the edges`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      await wake(page);
      await page.locator(SWITCH).click();
      await expect(page.locator(DISMISS)).toBeVisible();
      const targets = await targetsOf(page);
      expect(targets.length).toBeGreaterThan(15);
      expect(targetFaults(targets, width)).toEqual([]);
    });
  }

  test(`T3 the calls to action of ${path} are at least 56 px high, and as wide as the text on a phone`, async ({
    page,
  }) => {
    await page.goto(path);
    for (const width of [320, 480, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const cta of await allOf(page, ['[data-cta=hero]', '[data-cta=closing]'])) {
        expect(await ctaFaults(cta, width)).toEqual([]);
      }
    }
  });

  for (const scale of [1, 2]) {
    test(`T4 reflow of ${path}: at 320 × 256 with text at ${scale * 100} %, nothing is cut or scrolls sideways`, async ({
      page,
    }) => {
      await page.goto(path);
      await wake(page);
      await page.setViewportSize({ width: 320, height: 256 });
      await enlargeText(page, scale);
      await page.locator(REGISTER).click();
      expect(await layoutFaults(page)).toEqual([]);
      expect(await fixedHeight(page)).toBeLessThanOrEqual(256 / 4);

      await page.locator(SWITCH).focus();
      await page.keyboard.press('Enter');
      const dismiss = page.locator(DISMISS);
      await expect(dismiss).toBeVisible();
      await page.keyboard.press('F8');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await expect(dismiss).toBeFocused();
      await expect(dismiss).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('Enter');
      await expect(page.locator('[data-toast]')).toHaveCount(0);
    });
  }

  for (const width of [320, 1280]) {
    test(`T5 text spacing of ${path} at ${width} px: nothing is cut, no words lie over others`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      await wake(page);
      await widenSpacing(page);
      expect(await layoutFaults(page)).toEqual([]);
    });
  }

  test(`T5 with 45 % more text in ${path} nothing is cut, and no words lie over others`, async ({
    page,
  }) => {
    await page.goto(path);
    await wake(page);
    await lengthenTexts(page, 0.45);
    for (const width of [280, 320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await calm(page);
      expect.soft(await layoutFaults(page), `${width} px`).toEqual([]);
    }
  });
}
