/** Each call to action: every way to follow its link is one line in the log and one event at PostHog, both with the ref. */

import type { Page } from '@playwright/test';
import { CTAS, type CtaName } from '#contract/cta.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { toggleFilm } from '../helpers/browser/film.ts';
import { NEWER_APIS, PIPELINE_APIS, takeAway } from '../helpers/browser/old-browser.ts';
import { refuseStorage, wake } from '../helpers/browser/page-steps.ts';
import { settle, started } from '../helpers/browser/page-waits.ts';
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
  const visit = async (press: () => Promise<unknown>) => {
    const [before, visits] = [world.site.lines().length, world.signUps.length];
    await press();
    const [line] = await newClicks(world, before, 1);
    expect(line).toMatchObject({ referrer: null, visit_id: expect.any(String) });
    expect(world.signUps.slice(visits)).toEqual(['/create-account?invitation_code=SMADRIVE']);
    return line;
  };
  const fetched = await visit(async () => {
    await page.goto('/');
    await started(page);
    await page.click('[data-cta=hero]');
  });
  expect(fetched?.via).toBe('fetch');
  const sent = () => world.posthog.events.filter((event) => event.uuid === fetched?.id);
  const [event] = await steadyCount(sent, 1, 'events of the click');
  expect(event?.properties.referrer).toBeNull();

  const early = await visit(async () => {
    world.slow.hold(/\.js$/);
    await page.goto(world.slow.url, { waitUntil: 'commit' });
    await page.click('[data-cta=hero]');
  });
  expect(early?.via).toBe('beacon');
  world.slow.release();

  const late = await visit(async () => {
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
});

const HOSTILE: Record<string, string | null> = {
  [`?ref=${encodeURIComponent('"><script>alert(1)</script>')}`]: '"><script>alert(1)</script>',
  '?ref=a%0D%0A%7B%22b%22%3A1%7D': 'a{"b":1}',
  [`?ref=${'x'.repeat(10_240)}`]: 'x'.repeat(128),
  '?ref=%ED%A0%80': '\uFFFD\uFFFD\uFFFD',
  [`?ref=${'y'.repeat(127)}%F0%9F%98%80`]: 'y'.repeat(127),
  '?ref=one&ref=two&ref[]=three': 'one',
  '?ref=': null,
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
    expect(address.searchParams.getAll('ref')).toEqual(ref === null ? [] : [ref]);
    expect(address.searchParams.get('invitation_code')).toBe('SMADRIVE');
  }
});

const STAND_IN = {
  en: [
    'Invitation code: SMADRIVE',
    'The privacy policy of Wayfield Health',
    'The terms of Wayfield Health',
  ],
  es: ['Código de invitación: SMADRIVE', null, null],
} as const;

for (const [language, [code, policy, terms]] of Object.entries(STAND_IN)) {
  test(`without a portal links (${language}) open a stand-in`, async ({ page, ref }) => {
    const openBy = async (selector: string) => {
      const opened = page.waitForEvent('popup');
      await page.click(selector);
      return opened;
    };
    await page.goto(`${language === 'es' ? '/es/' : '/'}?ref=${ref}`);
    const standIn = await openBy('[data-cta=hero]');
    await expect(standIn.getByText(code)).toBeVisible();
    await expect(standIn.getByText(ref)).toBeVisible();
    await expect(standIn.locator('html')).toHaveAttribute('lang', language);
    expect(await axeComplaints(standIn)).toEqual([]);
    if (!policy) return;
    for (const [name, text] of [
      ['Privacy policy', policy],
      ['Terms', terms],
    ] as const) {
      const tab = await openBy(`footer a:has-text("${name}")`);
      await expect(tab.getByText(text ?? '')).toBeVisible();
    }
  });
}

// The oldest browsers of docs/architecture.md, simulated by a Chromium without the APIs that they lack.

test('without any one newer API a click counts', async ({ context, world, ref }) => {
  for (const [i, path] of PIPELINE_APIS.entries()) {
    const page = await context.newPage();
    await takeAway(page, [path]);
    await page.goto(`/?ref=${ref}-${i}`);
    await settle(page);
    // The look-up begins with the pointer. The click waits only 300 ms for it.
    const lookup = page.waitForEvent('requestfinished', (one) => one.url().includes(LOOKUP_HOST));
    await page.hover('[data-cta=hero]');
    await lookup;
    await page.click('[data-cta=hero]');
    const [line] = await loggedClicks(world, `${ref}-${i}`, 1);
    expect(line, path).toMatchObject({ via: 'fetch', ip: '203.0.113.7' });
    const [event] = await capturedEvents(world, 'cta_click', `${ref}-${i}`, 1);
    expect(event?.uuid, path).toBe(line?.id);
    await page.close();
  }
});

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
  for (const selector of LANDING_CTAS) await page.click(selector);
  const lines = await loggedClicks(world, ref, LANDING_CTAS.length);
  expect(lines.map(({ via }) => via)).toEqual(LANDING_CTAS.map(() => 'fetch'));
  await capturedEvents(world, 'cta_click', ref, LANDING_CTAS.length);

  await page.addInitScript(refuseStorage);
  await page.goto(`/?ref=${ref}-blocked`);
  await settle(page);
  await page.click('[data-cta=hero]');
  const [line] = await loggedClicks(world, `${ref}-blocked`, 1);
  expect(line?.via).toBe('fetch');
});
