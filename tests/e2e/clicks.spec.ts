/** Each call to action: every way to follow its link is one line in the log and one event at PostHog, both with the ref. */

import type { Page } from '@playwright/test';
import { CTAS, type CtaName } from '#contract/cta.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { toggleFilm } from '../helpers/browser/film.ts';
import { NEWER_APIS, takeAway } from '../helpers/browser/old-browser.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { started } from '../helpers/browser/page-waits.ts';
import { CTA_PATHS, LANDING_CTAS } from '../helpers/browser/site-pages.ts';
import { steadyCount } from '../helpers/run/steady-count.ts';
import { LOOKUP_HOST } from './build-sites.ts';
import { capturedEvents, expect, loggedClicks, newClicks, test } from './fixtures.ts';

// Chromium's message about a request that a test blocks.
test.use({ expectedComplaints: /ERR_FAILED/ });

const WAYS: Record<string, (page: Page, selector: string) => Promise<void>> = {
  'the mouse': (page, selector) => page.click(selector),
  'the middle button': (page, selector) => page.click(selector, { button: 'middle' }),
  'Ctrl and click': (page, selector) => page.click(selector, { modifiers: ['Control'] }),
  Enter: (page, selector) => page.press(selector, 'Enter'),
};

/** Each way, each call to action and each language, by pairs. A new call to action is pressed without a new row. */
const ROWS = (Object.keys(CTAS) as CtaName[]).flatMap((cta, i) => [
  { cta, path: CTA_PATHS[cta], way: Object.keys(WAYS)[(2 * i) % 4] ?? '' },
  { cta, path: `/es${CTA_PATHS[cta]}`, way: Object.keys(WAYS)[(2 * i + 1) % 4] ?? '' },
]);

for (const { cta, path, way } of ROWS) {
  test(`§7: ${cta} on ${path} by ${way} counts once`, async ({ page, world, ref }) => {
    const { event, label } = CTAS[cta];
    await page.goto(`${path}?ref=${ref}`);
    await started(page);
    await page.click(`[data-cta=${cta}]`, { button: 'right' });
    await WAYS[way]?.(page, `[data-cta=${cta}]`);
    const [line] = await loggedClicks(world, ref, 1);
    expect(line).toMatchObject({
      event,
      referrer: ref,
      page_url: new URL(`${path}?ref=${ref}`, world.url).href,
      is_mobile: false,
      user_agent: await page.evaluate(() => navigator.userAgent),
      via: 'fetch',
    });
    expect(Math.abs(Date.parse(String(line?.timestamp)) - Date.now())).toBeLessThan(60_000);
    const [captured] = await capturedEvents(world, 'cta_click', ref, 1);
    expect(captured?.uuid).toBe(line?.id);
    expect(captured?.properties).toMatchObject({
      ...{ category: 'CTA', label, value: 1, event_id: line?.id },
      ...{ $session_id: line?.visit_id, $pathname: path },
    });
    await expect
      .poll(() => world.signUps.filter((visit) => visit.includes(ref)))
      .toEqual([`/create-account?invitation_code=SMADRIVE&ref=${ref}`]);
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  });
}

test('§3: without a ref the log has null', async ({ page, world }) => {
  const pressed = async (press: () => Promise<unknown>) => {
    const [before, visits] = [world.site.lines().length, world.signUps.length];
    await press();
    const [line] = await newClicks(world, before, 1);
    expect(line).toMatchObject({ referrer: null, visit_id: expect.any(String) });
    expect(world.signUps.slice(visits)).toEqual(['/create-account?invitation_code=SMADRIVE']);
    return line;
  };
  const early = await pressed(async () => {
    world.slow.hold(/\.js$/);
    await page.goto(world.slow.url, { waitUntil: 'commit' });
    await page.click('[data-cta=hero]');
  });
  expect(early?.via).toBe('beacon');
  world.slow.release();
  const late = await pressed(async () => {
    await page.route('**/api/log-cta*', (route) => route.abort());
    await page.goto('/');
    const opened = page.waitForEvent('popup');
    await page.click('[data-cta=hero]');
    await (await opened).waitForURL(/create-account/);
    await page.goto('about:blank');
    await page.unroute('**/api/log-cta*');
    await page.goto('/?ref=a-later-visit');
  });
  expect(late?.page_url).toBe(world.url);
  const sent = () => world.posthog.events.filter((event) => event.uuid === late?.id);
  const [event] = await steadyCount(sent, 1, 'events of the click');
  expect(event?.properties.referrer).toBeNull();
});

/** tests/browser/inline/read-ref.test.ts has more. */
const HOSTILE: Record<string, string> = {
  [`?ref=${encodeURIComponent('"><script>alert(1)</script>')}`]: '"><script>alert(1)</script>',
  '?ref=a%0D%0A%7B%22b%22%3A1%7D&ref=two': 'a{"b":1}',
  [`?ref=${'x'.repeat(10_240)}`]: 'x'.repeat(128),
};

test('§3: a hostile ref breaks nothing', async ({ page, world }) => {
  for (const [query, ref] of Object.entries(HOSTILE)) {
    const [before, visits] = [world.site.lines().length, world.signUps.length];
    await page.goto(`/${query}`);
    await page.click('[data-cta=hero]');
    const [line] = await newClicks(world, before, 1);
    expect(line?.referrer).toBe(ref);
    await expect.poll(() => world.signUps.length).toBe(visits + 1);
    const address = new URL(world.signUps.at(-1) ?? '', 'https://portal.example');
    expect(address.searchParams.getAll('ref')).toEqual([ref]);
    expect(address.searchParams.get('invitation_code')).toBe('SMADRIVE');
  }
});

test('T0: without a portal the button opens a stand-in', async ({ page, ref }) => {
  await page.goto(`/es/?ref=${ref}`);
  const opened = page.waitForEvent('popup');
  await page.click('[data-cta=hero]');
  const standIn = await opened;
  await expect(standIn.getByText('Código de invitación: SMADRIVE')).toBeVisible();
  await expect(standIn.getByText(ref)).toBeVisible();
  await expect(standIn.locator('html')).toHaveAttribute('lang', 'es');
  expect(await axeComplaints(standIn)).toEqual([]);
});

/** The oldest browsers of docs/architecture.md, simulated by a Chromium without the APIs that they lack. */
test('without all newer APIs the page works', async ({ page, world, ref }) => {
  await takeAway(page, NEWER_APIS);
  await page.addInitScript(() => {
    const types = ['mark', 'measure', 'navigation', 'paint', 'resource'];
    Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { get: () => types });
  });
  await page.goto(`/?ref=${ref}`);
  await wake(page);
  await toggleFilm(page);
  await expect(page.locator('video')).toHaveJSProperty('paused', false);
  const optOut = page.locator('[data-island=opt-out] button');
  for (const stored of ['off', null]) {
    await optOut.click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('counting'))).toBe(stored);
  }
  await page.keyboard.press('Escape');
  // The look-up begins with the pointer. The click waits only 300 ms for it.
  const lookup = page.waitForEvent('requestfinished', (one) => one.url().includes(LOOKUP_HOST));
  await page.hover('[data-cta=closing]');
  await lookup;
  for (const selector of LANDING_CTAS) await page.click(selector);
  const lines = await loggedClicks(world, ref, LANDING_CTAS.length);
  for (const line of lines) expect(line).toMatchObject({ via: 'fetch', ip: '203.0.113.7' });
  await capturedEvents(world, 'cta_click', ref, LANDING_CTAS.length);
});
