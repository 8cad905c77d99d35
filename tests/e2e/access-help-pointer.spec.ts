import type { Page } from '@playwright/test';
import { allOf } from '../helpers/browser/all-of.ts';
import { pageState } from '../helpers/browser/page-state.ts';
import { expect, loggedClicks, test } from './fixtures.ts';
import { EVERY_LANGUAGE, helpPagesIn } from './routes.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const CONTROLS = ':is(a[href], button, summary):not([data-skip])';

for (const language of EVERY_LANGUAGE) {
  test(`T13 and T14: in a help page (${language}) neither a press that is moved away nor a resting pointer does anything`, async ({
    page,
    context,
    world,
  }) => {
    await page.clock.install();
    const ref = `help-rests-${language}`;
    for (const path of helpPagesIn(language)) {
      await page.goto(`${path}?ref=${ref}`);
      const tabs = context.pages().length;
      for (const control of await allOf(page, [CONTROLS])) {
        await control.evaluate((element) => element.scrollIntoView({ block: 'center' }));
        const { x = 0, y = 0, width = 0 } = (await control.boundingBox()) ?? {};
        if (width === 0) continue;
        const before = await pageState(page);
        await page.mouse.move(x + 9, y + 9);
        await page.clock.fastForward(3000);
        expect.soft(await pageState(page), `${path}: rests`).toEqual(before);
        await pressAndMoveAway(page);
        expect.soft(await pageState(page), `${path}: moved away`).toEqual(before);
      }
      expect(context.pages().length).toBe(tabs);
    }
    // The last click counts. The log must contain no other.
    await page.click('[data-cta=help]');
    await loggedClicks(world, ref, 1);
  });
}

async function pressAndMoveAway(page: Page): Promise<void> {
  await page.mouse.down();
  await page.mouse.move(2, 2, { steps: 2 });
  await page.mouse.up();
}
