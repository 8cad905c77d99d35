/** Measures how much a control's focus changes its look. */
import type { Page } from '@playwright/test';
import { visiblyChanged } from './image-diff.ts';
import { pageLook } from './page-look.ts';
import { calm } from './page-steps.ts';

/** Takes pictures of the focused control with and without its focus, and focuses it again. */
export async function focusChange(page: Page) {
  const MARGIN = 12;
  const box = await page.evaluate(
    ({ labelOf }) => {
      const { x, y, width, height } = (document.activeElement as Element).getBoundingClientRect();
      return { x, y, width, height, label: labelOf(document.activeElement as Element) };
    },
    await pageLook(page),
  );
  const x = Math.max(0, box.x - MARGIN);
  const y = Math.max(0, box.y - MARGIN);
  const clip = { x, y, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN };
  const focused = await page.screenshot({ clip });
  const control = await page.evaluateHandle(() => document.activeElement as HTMLElement);
  await control.evaluate((element) => element.blur());
  await calm(page);
  const unfocused = await page.screenshot({ clip });
  await control.evaluate((element) => element.focus({ preventScroll: true }));
  return {
    label: box.label,
    changed: visiblyChanged(unfocused, focused),
    needed: 2 * 2 * (box.width + box.height),
  };
}
