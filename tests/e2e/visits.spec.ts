/** A site without PostHog: the page counts its visits all the same, and the table has each once. */
import { expect, loggedClicks, settle, test, type World } from './fixtures.ts';
import { watchRecording } from './recorded.ts';
import { expectTruth } from './what-we-count.ts';

// Chromium reports the request that a test makes fail.
test.use({ build: 'plain', expectedComplaints: /503/ });

const HELP = '/help/privacy/';
const COLUMNS = 'page, referrer, utm_source, referring_class, screen_class, is_bot';

const visitsOf = (world: World, ref: string) =>
  world.site.rows(`SELECT ${COLUMNS} FROM visits WHERE referrer = ? ORDER BY viewed_at`, ref);

const visit = (page: string, referrer: string, rest = {}) => ({
  ...{ page, referrer, utm_source: null, referring_class: 'direct', screen_class: 'large' },
  is_bot: 0,
  ...rest,
});

test('each page view is one visit in the table, and PostHog gets nothing', async ({
  page,
  world,
}) => {
  const ref = 'no-posthog';
  await page.goto(`/?ref=${ref}&utm_source=leaflet`);
  await settle(page);
  await page.click('[data-cta=hero]');
  await page.goto(`${HELP}?ref=${ref}`);
  await expect
    .poll(() => visitsOf(world, ref))
    .toEqual([visit('/', ref, { utm_source: 'leaflet' }), visit(HELP, ref)]);
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.visit_id).toEqual(expect.any(String));
  expect(world.posthog.requests).toEqual([]);
});

for (const path of ['/', HELP]) {
  test(`a page view of ${path} that fails at first is sent once more`, async ({ page, world }) => {
    const ref = `fails-at-first${path.replaceAll('/', '-')}`;
    await page.route('**/k/e/', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.goto(`${path}?ref=${ref}`);
    await expect.poll(() => visitsOf(world, ref)).toEqual([visit(path, ref)]);
  });
}

test('the page’s words about counting are true (build "plain")', async ({ page, world }) => {
  await expectTruth(page, world, 'plain');
});

test('/help/privacy/ lists every request and every stored key of a visit (build "plain")', async ({
  page,
  world,
}) => {
  const compare = await watchRecording(page, world, 'plain');
  await page.goto('/?ref=recorded');
  await settle(page);
  await page.click('[data-cta=hero]');
  // The opt-out was not used, and the outbox was never full.
  await compare(['counting', 'clicks-dropped']);
});
