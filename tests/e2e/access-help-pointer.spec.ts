import type { Page } from '@playwright/test';
import { allOf } from '../helpers/browser/all-of.ts';
import { controlKind } from '../helpers/browser/control-kind.ts';
import { pageState } from '../helpers/browser/page-state.ts';
import { toolsReady } from '../helpers/browser/page-steps.ts';
import { expect, loggedClicks, test } from './fixtures.ts';
import { EVERY_LANGUAGE, helpPagesIn } from './routes.ts';

test.use({ build: 'full', contextOptions: { reducedMotion: 'reduce' } });

const CONTROLS = ':is(a[href], button, summary):not([data-skip])';

for (const language of EVERY_LANGUAGE) {
  test(`T13 and T14: in the help pages (${language}) neither a press that is moved away nor a resting pointer does anything`, async ({
    page,
    context,
    world,
  }) => {
    await page.clock.install();
    const ref = `help-rests-${language}`;
    const tried = new Set<string>();
    for (const path of helpPagesIn(language)) {
      await page.goto(`${path}?ref=${ref}`);
      await toolsReady(page);
      const tabs = context.pages().length;
      for (const control of await allOf(page, [CONTROLS])) {
        const kind = await control.evaluate(controlKind);
        if (tried.has(kind)) continue;
        tried.add(kind);
        await control.evaluate((element) => element.scrollIntoView({ block: 'center' }));
        const { x = 0, y = 0, width = 0 } = (await control.boundingBox()) ?? {};
        if (width === 0) continue;
        const before = await pageState(page);
        await page.mouse.move(x + 9, y + 9);
        await page.clock.fastForward(3000);
        expect.soft(await pageState(page), `${path}: rests`).toEqual(before);
        await pressAndMoveAway(page, y + 9);
        expect.soft(await pageState(page), `${path}: moved away`).toEqual(before);
      }
      expect(context.pages().length).toBe(tabs);
    }
    expect(tried.size).toBeGreaterThan(3);
    // The last click counts. The log must contain no other.
    await page.click('[data-cta=help]');
    await loggedClicks(world, ref, 1);
  });
}

/** Moves to the page's margin at the same height, because a link that is dragged to the top scrolls the page. */
async function pressAndMoveAway(page: Page, y: number): Promise<void> {
  await page.mouse.down();
  await page.mouse.move(2, y, { steps: 2 });
  await page.mouse.up();
}
