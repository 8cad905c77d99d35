/** The browser's back-forward cache, for real: the page is left, kept, and shown again. */
import { withBackForwardCache } from '../helpers/browser/headless-chromium.ts';
import { leaveAndReturn } from '../helpers/browser/page-steps.ts';
import { loggedClicks, settle, test } from './fixtures.ts';

test.use({
  launchOptions: [
    ({ launchOptions }, use) => use(withBackForwardCache(launchOptions)),
    { scope: 'worker' },
  ],
  expectedComplaints: /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET/,
});

const CTA = '[data-cta=hero]';
const MINUTE_MS = 60_000;

test('a page that returns sends the clicks that still wait', async ({ page, world }) => {
  await page.clock.install();
  await page.goto('/?ref=comes-back');
  await settle(page);
  // Stops every timer, so that no later attempt can replace the one on return.
  await page.clock.pauseAt(Date.now() + MINUTE_MS);
  // The attempts fail while the page is open, and so does the beacon when it is left.
  await world.site.stop('SIGKILL');
  await page.click(CTA, { modifiers: ['Control'] });
  await leaveAndReturn(page, 'about:blank', () => world.site.start());
  await loggedClicks(world, 'comes-back', 1);
});
