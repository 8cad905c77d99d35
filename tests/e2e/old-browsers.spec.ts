/** Simulates the oldest browsers of README.md by a Chromium without the APIs that they lack. */
import { ctasOn } from '../helpers/browser/cta-pages.ts';
import { NEWER_APIS, PIPELINE_APIS, takeAway } from '../helpers/browser/old-browser.ts';
import { toggleFilm, wake } from '../helpers/browser/page-steps.ts';
import { LOOKUP_HOST } from './build-sites.ts';
import { capturedEvents, expect, loggedClicks, settle, test } from './fixtures.ts';

for (const path of PIPELINE_APIS) {
  test(`without ${path}: a click is delivered`, async ({ page, world }) => {
    await takeAway(page, [path]);
    const ref = path.replaceAll('.', '-');
    await page.goto(`/?ref=${ref}`);
    await settle(page);
    // The look-up begins with the pointer. The click waits only 300 ms for it.
    const lookup = page.waitForEvent('requestfinished', (one) => one.url().includes(LOOKUP_HOST));
    await page.hover('[data-cta=hero]');
    await lookup;
    await page.click('[data-cta=hero]');
    const [line] = await loggedClicks(world, ref, 1);
    expect(line).toMatchObject({ via: 'fetch', ip: '203.0.113.7' });
    const [event] = await capturedEvents(world, 'cta_click', ref, 1);
    expect(event?.uuid).toBe(line?.id);
  });
}

test('without any of them, everything works', async ({ page, world }) => {
  await takeAway(page, NEWER_APIS);
  await page.addInitScript(() => {
    const types = ['mark', 'measure', 'navigation', 'paint', 'resource'];
    Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { get: () => types });
  });
  await page.goto('/?ref=old-browser');
  await wake(page);
  await toggleFilm(page);
  await expect(page.locator('video')).toHaveJSProperty('paused', false);
  const optOut = page.locator('[data-island=opt-out] button');
  for (const stored of ['off', null]) {
    await optOut.click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('counting'))).toBe(stored);
  }
  await page.keyboard.press('Escape');
  const ctas = ctasOn('/');
  for (const { selector } of ctas) await page.click(selector);
  const lines = await loggedClicks(world, 'old-browser', ctas.length);
  expect(lines.map(({ via }) => via)).toEqual(ctas.map(() => 'fetch'));
  await capturedEvents(world, 'cta_click', 'old-browser', ctas.length);
  await expect
    .poll(() => world.signUps.filter((visit) => visit.includes('ref=old-browser')))
    .toHaveLength(ctas.length);
});

test('without any of them, and with storage blocked, everything works', async ({ page, world }) => {
  await takeAway(page, NEWER_APIS);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  });
  await page.goto('/?ref=old-and-blocked');
  await settle(page);
  await page.click('[data-cta=hero]');
  const [line] = await loggedClicks(world, 'old-and-blocked', 1);
  expect(line?.via).toBe('fetch');
});
