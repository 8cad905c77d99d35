import { controlKind } from '../helpers/browser/control-kind.ts';
import { focusChange } from '../helpers/browser/focus-change.ts';
import { outOfVisualOrder, walk } from '../helpers/browser/keyboard-walk.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { calm, toolsReady } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, MISSING_COMPLAINT, plainPagesIn } from './routes.ts';

test.use({
  build: 'full',
  contextOptions: { reducedMotion: 'reduce' },
  expectedComplaints: MISSING_COMPLAINT,
});

const MAX_STOPS = 25;

for (const language of EVERY_LANGUAGE) {
  test(`T1 keyboard walk, help pages (${language}): every control once, there and back, in view, nothing on top`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of plainPagesIn(language)) {
      await test.step(path, async () => {
        await page.goto(path);
        await toolsReady(page);
        const count = await page.evaluate(
          ({ controls }) => controls().length,
          await pageLook(page),
        );
        const there = await walk(page, 'Tab', { isStill: true });
        expect(there.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, i) => i));
        expect(there.length).toBeLessThanOrEqual(MAX_STOPS);

        const back = await walk(page, 'Shift+Tab', { isStill: true });
        expect(back.map(({ label }) => label).reverse()).toEqual(there.map(({ label }) => label));
        for (const { label, faults } of [...there, ...back]) {
          expect.soft(faults, `${path}: ${label}`).toEqual([]);
        }
        expect(outOfVisualOrder(there)).toEqual([]);
      });
    }
  });

  test(`T2 focus look, help pages (${language}): each kind of focused control changes by a 2 px perimeter at 3:1`, async ({
    page,
  }) => {
    // The same style sheet colours both schemes, so each language takes one of them.
    await page.emulateMedia({ colorScheme: language === 'en' ? 'light' : 'dark' });
    const seen = new Set<string>();
    for (const path of plainPagesIn(language)) {
      await page.goto(path);
      await toolsReady(page);
      const count = await page.evaluate(({ controls }) => controls().length, await pageLook(page));
      for (let stop = 0; stop < count; stop++) {
        await page.keyboard.press('Tab');
        const kind = await page.locator(':focus').evaluate(controlKind);
        if (seen.has(kind)) continue;
        seen.add(kind);
        await calm(page);
        const { label, changed, needed } = await focusChange(page);
        expect.soft(changed, `${path}, ${label}: pixels changed`).toBeGreaterThanOrEqual(needed);
      }
    }
    expect(seen.size).toBeGreaterThan(3);
  });
}
