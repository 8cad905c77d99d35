import type { Request } from '@playwright/test';
import { capturedEvents, expect, loggedClicks, quiet, settle, test } from './fixtures.ts';
import { watchRecording } from './recorded.ts';
import { expectTruth } from './what-we-count.ts';

test('before anybody acts, nothing leaves this origin, and nothing is stored', async ({
  page,
  context,
  world,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(world.url)) foreign.push(request.url());
  });
  await page.goto('/');
  await quiet(page);
  expect(foreign).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  const stored = () =>
    page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(await stored()).toEqual([]);

  await page.click('[data-cta=hero]');
  await expect.poll(stored).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});

test('addresses reach PostHog without their query', async ({ page, world }) => {
  await page.goto('/?ref=strip-me&token=secret');
  await settle(page);
  await page.click('[data-cta=hero]');
  await capturedEvents(world, 'cta_click', 'strip-me', 1);
  expect(JSON.stringify(world.posthog.events)).not.toContain('secret');
});

test('no event that leaves the page contains the visitor’s time zone', async ({ page, world }) => {
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  // Only posthog-js puts the project's key there.
  const isByPosthog = (request: Request) => request.postData()?.includes('"token":') ?? false;
  // The first section's event. A click before it would leave without posthog-js.
  const started = page.waitForRequest(isByPosthog);
  await page.goto('/?ref=no-zone');
  await settle(page);
  await started;
  await page.click('[data-cta=hero]');
  const [click] = await capturedEvents(world, 'cta_click', 'no-zone', 1);
  const byPosthog = requests.filter(isByPosthog);
  expect(byPosthog.some((request) => request.postData()?.includes(`${click?.uuid}`))).toBe(true);
  for (const request of requests) expect(request.postData() ?? '').not.toMatch(/time_?zone/i);
});

for (const [name, signal] of Object.entries({
  'Global Privacy Control': {
    header: { 'Sec-GPC': '1' },
    property: 'globalPrivacyControl',
    value: true,
  },
  'Do Not Track': { header: { DNT: '1' }, property: 'doNotTrack', value: '1' },
})) {
  test(`${name}: no PostHog, no look-up, no address in the log`, async ({ browser, world }) => {
    const context = await browser.newContext({
      extraHTTPHeaders: signal.header,
      baseURL: world.url,
    });
    await context.addInitScript(
      ({ property, value }) => Object.defineProperty(navigator, property, { get: () => value }),
      signal,
    );
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const lookups = world.ipLookup.requests.length;
    const ref = `private-${signal.property}`;
    await page.goto(`/?ref=${ref}`);
    await settle(page);
    await page.click('[data-cta=hero]');
    const [line] = await loggedClicks(world, ref, 1);
    expect(line).toMatchObject({ ip: null, remote_ip: null });
    await context.close();
    expect(asked.filter((path) => path.startsWith('/k'))).toEqual([]);
    expect(world.ipLookup.requests.length).toBe(lookups);
  });
}

test('the switch in the footer turns counting off on this device, and on again', async ({
  page,
  world,
}) => {
  await page.goto('/?ref=switched-off');
  await page.locator('footer').scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Turn off counting on this device' }).click();
  await expect(page.getByText('Counting is off on this device.')).toBeVisible();
  await page.click('[data-cta=hero]');
  await page.reload();
  await page.click('[data-cta=closing]');
  await page.locator('footer').scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Turn counting on for this device' }).click();
  await page.reload();
  await page.click('[data-cta=hero]');
  const [line] = await loggedClicks(world, 'switched-off', 1);
  expect(line?.event).toBe('hero_cta_click');
  expect(await page.evaluate(() => localStorage.getItem('counting'))).toBeNull();
});

test('the page’s words about counting are true (build "tracked")', async ({ page, world }) => {
  await expectTruth(page, world, 'tracked');
});

test('/help/privacy/ lists every request and every stored key of a visit (build "tracked")', async ({
  page,
  world,
}) => {
  const compare = await watchRecording(page, world, 'tracked');
  await page.goto('/?ref=recorded');
  await settle(page);
  await page.locator('footer').scrollIntoViewIfNeeded();
  await page.click('[data-cta=hero]');
  await page.goto('/es/help/?ref=recorded');
  await page.click('[data-cta=help]');
  await page.getByRole('button', { name: 'Desactivar el conteo' }).click();
  await page.getByRole('button', { name: 'Activar el conteo' }).click();
  // Only a full outbox writes the first, and posthog-js may not have loaded.
  await compare(['clicks-dropped', '__mplssupport__']);
});
