/**
 * T18: the page does what /help/privacy/ says: what leaves the browser, what stays in it, and what
 * a privacy signal stops.
 */

import { islandsInViewReady, noMoreRequests } from '../helpers/browser/page-waits.ts';
import { capturedEvents, expect, loggedClicks, test } from './fixtures.ts';

// Chromium's message about a look-up that is refused.
test.use({ expectedComplaints: /403 \(Forbidden\)/ });

const CTA = '[data-cta=hero]';
/** The browser's address in these tests. */
const ADDRESS = '127.0.0.1';

for (const [name, header, property, value] of [
  ['Global Privacy Control', 'Sec-GPC', 'globalPrivacyControl', true],
  ['Do Not Track', 'DNT', 'doNotTrack', '1'],
] as const) {
  test.describe(() => {
    test.use({ extraHTTPHeaders: { [header]: '1' } });

    test(`${name}: no PostHog, no look-up, no address`, async ({ page, world, ref }) => {
      await page.addInitScript(
        ([property, value]) => Object.defineProperty(navigator, property, { get: () => value }),
        [property, value] as const,
      );
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const lookups = world.ipLookup.requests.length;
      for (const [i, path] of ['/', '/es/help/who/'].entries()) {
        await page.goto(`${path}?ref=${ref}`);
        await noMoreRequests(page);
        await page.locator('[data-cta]').first().hover();
        await page.locator('[data-cta]').first().click();
        const lines = await loggedClicks(world, ref, i + 1);
        expect(lines.at(-1)).toMatchObject({ private: true, ip: null, remote_ip: null });
      }
      expect(asked.filter((path) => path.startsWith('/k'))).toEqual([]);
      expect(world.ipLookup.requests.length).toBe(lookups);
    });
  });
}

test('§7: the look-up is asked once, without cookies, and PostHog gets no address', async ({
  page,
  world,
  ref,
}) => {
  const before = world.ipLookup.requests.length;
  await page.goto(`/?ref=${ref}`);
  await islandsInViewReady(page);
  const answered = page.waitForResponse(/lookup/);
  await page.hover(CTA);
  await answered;
  await page.click(CTA);
  await page.click('[data-cta=closing]');
  const lines = await loggedClicks(world, ref, 2);
  for (const line of lines) expect(line).toMatchObject({ ip: '203.0.113.7', remote_ip: ADDRESS });
  expect(world.ipLookup.requests.length).toBe(before + 1);
  expect(world.ipLookup.requests.at(-1)).not.toHaveProperty('referer');
  expect(world.ipLookup.requests.at(-1)).not.toHaveProperty('cookie');

  const [event] = await capturedEvents(world, 'cta_click', ref, 2);
  expect(event?.properties.$ip).toBe('192.0.2.0');
  const { requests, events } = world.posthog;
  for (const { headers } of requests) expect(headers).not.toHaveProperty('x-forwarded-for');
  expect(JSON.stringify(events)).not.toContain(ADDRESS);
});

test('a look-up that fails gives no address', async ({ page, world, ref }) => {
  for (const [i, answer] of ['{"ip":"<script>"}', null].entries()) {
    world.ipLookup.answer = answer;
    await page.goto(`/?ref=${ref}`);
    await page.click(CTA);
    const lines = await loggedClicks(world, ref, i + 1);
    expect(lines.at(-1)?.ip, String(answer)).toBeNull();
  }
});

test('/help/privacy/ lists each request and stored key', async ({ page, world, ref }) => {
  // The page writes "click:…", because a key with a colon at its end looks like a mistake.
  const named = async (section: string) =>
    (await page.locator(`section:has(#${section}) code`).allInnerTexts())
      .map((name) => name.replace('…', ''))
      .sort();
  await page.goto('/es/help/privacy/');
  const inSpanish = { sent: await named('sent'), stored: await named('stored') };
  await page.goto('/help/privacy/');
  const listed = { sent: await named('sent'), stored: await named('stored') };
  expect(inSpanish).toEqual(listed);
  const sent = new Set<string>();
  const stored = new Set<string>();
  page.on('request', (request) => {
    const { origin, pathname, host } = new URL(request.url());
    if (!world.url.startsWith(origin)) sent.add(host);
    else if (/^\/(api|k)\//.test(pathname) || request.method() !== 'GET') sent.add(pathname);
  });
  await page.exposeFunction('reportKey', (key: string) => stored.add(key.replace(/:.*/, ':')));
  await page.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      (window as unknown as { reportKey(key: string): void }).reportKey(key);
      setItem.call(this, key, value);
    };
  });
  await page.goto(`/?ref=${ref}`);
  await islandsInViewReady(page);
  await page.click(CTA);
  await loggedClicks(world, ref, 1);
  await page.locator('footer').scrollIntoViewIfNeeded();
  const optOut = page.locator('#opt-out button');
  await optOut.click();
  await optOut.click();

  // The whole list, so that no entry stays on the page without a request.
  await expect.poll(() => [...sent].sort()).toEqual(listed.sent);
  expect([...stored].filter((key) => !listed.stored.includes(key))).toEqual([]);
  // Only a full outbox and the team write the first two, and posthog-js may not have loaded.
  const optional = ['clicks-dropped', 'internal', '__mplssupport__'];
  expect(listed.stored.filter((key) => !optional.includes(key) && !stored.has(key))).toEqual([]);
});
