/** PostHog gets each click once, also where the browser cannot send its event: the server sends it from its table. */
import type { Browser, Page } from '@playwright/test';
import {
  capturedEvents,
  expect,
  loggedClicks,
  quiet,
  settle,
  test,
  type World,
} from './fixtures.ts';

test.use({
  expectedComplaints: /ERR_FAILED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|503/,
});

const CTA = '[data-cta=hero]';

/** Visits by whose browsers PostHog gets no click. Each has its name as its ref. */
const VISITS: Record<string, (parts: { page: Page; browser: Browser; world: World }) => unknown> = {
  async 'closed-at-once'({ page, world }) {
    world.slow.hold(/\.js$/);
    await page.goto(`${world.slow.url}?ref=closed-at-once`, { waitUntil: 'commit' });
    await page.click(CTA);
    // `close` does not wait for it, and the module must not arrive before.
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
  },
  async 'no-script'({ browser, world }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${world.url}?ref=no-script`);
    await page.click(CTA);
    await loggedClicks(world, 'no-script', 1);
    await context.close();
  },
  async blocker({ page, world }) {
    await page.route('**/k/e/**', (route) => route.abort());
    await page.goto(`${world.url}?ref=blocker`);
    await settle(page);
    const blocked = page.waitForEvent('requestfailed', (request) => /\/k\/e\//.test(request.url()));
    await page.click(CTA);
    await blocked;
  },
};

test('a tab closed at once, no script, a blocker: PostHog gets each click once, as the log has it', async ({
  context,
  browser,
  world,
}) => {
  for (const visit of Object.values(VISITS)) {
    await visit({ page: await context.newPage(), browser, world });
    world.slow.release();
  }
  for (const ref of Object.keys(VISITS)) {
    const [line] = await loggedClicks(world, ref, 1);
    const [event] = await capturedEvents(world, 'cta_click', ref, 1);
    expect(event).toMatchObject({ uuid: line?.id, timestamp: line?.timestamp });
    expect(event?.distinct_id).toBe(line?.visit_id ?? line?.id);
  }
});

test('PostHog is down and the server is killed: PostHog gets the click once', async ({
  page,
  world,
}) => {
  const { posthog, site } = world;
  await page.goto('/?ref=down-and-killed');
  await quiet(page);
  posthog.world.isDown = true;
  const signUp = page.waitForEvent('popup');
  await page.click(CTA);
  // The killed server would break off what this tab still loads.
  await (await signUp).waitForLoadState();
  const [line] = await loggedClicks(world, 'down-and-killed', 1);
  await expect
    .poll(() => posthog.requests.some(({ body }) => body.includes(`${line?.id}`)))
    .toBe(true);
  await page.close({ runBeforeUnload: true });
  await site.stop('SIGKILL');
  posthog.world.isDown = false;
  await site.start();
  const [event] = await capturedEvents(world, 'cta_click', 'down-and-killed', 1);
  expect(event?.uuid).toBe(line?.id);
});
