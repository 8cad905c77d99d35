import { axeComplaints } from '../helpers/browser/axe.ts';
import { calm, toolsReady } from '../helpers/browser/page-steps.ts';
import { shareOf } from '../run/long-forms.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, MISSING_COMPLAINT, plainPagesIn } from './routes.ts';

test.use({ build: 'full', expectedComplaints: MISSING_COMPLAINT });

for (const [group, colorScheme] of (['light', 'dark'] as const).entries()) {
  for (const language of shareOf(EVERY_LANGUAGE, group, 2)) {
    test.describe(() => {
      test.use({ colorScheme });

      test(`T0 axe, ${colorScheme}: the help pages (${language}) and the 404 page at 320 and 1280 px`, async ({
        page,
      }) => {
        for (const path of plainPagesIn(language)) {
          await page.goto(path);
          await toolsReady(page);
          for (const width of [320, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            await calm(page);
            expect.soft(await axeComplaints(page), `${path}, ${width} px`).toEqual([]);
          }
        }
      });
    });
  }
}
