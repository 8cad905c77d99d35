import { pathIn } from '#contract/language.ts';
import { focusChange } from '../helpers/browser/focus-change.ts';
import { outOfVisualOrder, walk } from '../helpers/browser/keyboard-walk.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { calm, wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, landingIn } from './routes.ts';

// Without smooth scrolling, the view reaches each stop at once.
test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const MAX_STOPS = 25;
const SIZES = { desktop: { width: 1280, height: 720 }, phone: { width: 390, height: 844 } };

/** The Spanish page has the same controls, so one size shows that its longer words leave them in place. */
const WALKS = [
  ['/', 'desktop'],
  ['/', 'phone'],
  [pathIn('es', '/'), 'phone'],
] as const;

for (const [path, size] of WALKS) {
  test(`T1 keyboard walk, ${path}, ${size}: every control once, there and back, in view, nothing on top`, async ({
    page,
  }) => {
    await page.setViewportSize(SIZES[size]);
    await page.goto(path);
    await wake(page);
    const count = await page.evaluate(({ controls }) => controls().length, await pageLook(page));
    const there = await walk(page, 'Tab');
    expect(there.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, i) => i));
    expect(there.length).toBeLessThanOrEqual(MAX_STOPS);

    const back = await walk(page, 'Shift+Tab');
    expect(back.map(({ label }) => label).reverse()).toEqual(there.map(({ label }) => label));
    for (const { label, faults } of [...there, ...back]) expect.soft(faults, label).toEqual([]);
    expect(outOfVisualOrder(there)).toEqual([]);
  });
}

for (const path of EVERY_LANGUAGE.map(landingIn)) {
  test(`T1 the call to action of ${path} is at most the third stop of a page just loaded, and Enter follows the skip link`, async ({
    page,
  }) => {
    await page.goto(path);
    // The skip link comes first.
    for (let stop = 0; stop < 2; stop++) await page.keyboard.press('Tab');
    await expect(page.locator('[data-cta=hero]')).toBeFocused();

    await page.goto(path);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.locator('main')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.locator('[data-cta=hero]')).toBeFocused();
  });
}

test('T1 the focus stays where it is when late script wakes the control under it', async ({
  page,
}) => {
  await page.goto('/');
  const film = page.locator('[data-island=video] a');
  await film.focus();
  await expect(film).toHaveRole('button');
  await expect(film).toBeFocused();
});

for (const [path, colorScheme] of [
  ['/', 'light'],
  ['/', 'dark'],
  [pathIn('es', '/'), 'light'],
] as const) {
  test.describe(() => {
    test.use({ colorScheme });

    test(`T2 focus look of ${path}, ${colorScheme}: each focused control changes by a 2 px perimeter at 3:1`, async ({
      page,
    }) => {
      await page.goto(path);
      await wake(page);
      const count = await page.evaluate(({ controls }) => controls().length, await pageLook(page));
      for (let stop = 0; stop < count; stop++) {
        await page.keyboard.press('Tab');
        await calm(page);
        const { label, changed, needed } = await focusChange(page);
        expect.soft(changed, `${label}: pixels changed`).toBeGreaterThanOrEqual(needed);
      }
    });
  });
}
