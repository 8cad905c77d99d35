import type { Page } from '@playwright/test';
import { CTAS } from '#contract/cta.ts';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { CTA_PATHS, ctasOn } from '../helpers/browser/cta-pages.ts';
import { started } from '../helpers/browser/page-steps.ts';
import { steadyCount } from '../helpers/run/steady-count.ts';
import {
  capturedEvents,
  expect,
  loggedClicks,
  newClicks,
  recordSignUps,
  settle,
  test,
  type World,
} from './fixtures.ts';

/** Every way to follow a link, and whether the link opens in the foreground. */
const WAYS: Record<string, (page: Page, selector: string) => Promise<void>> = {
  'the mouse': (page, selector) => page.click(selector),
  'the middle button': (page, selector) => page.click(selector, { button: 'middle' }),
  'Ctrl and click': (page, selector) => page.click(selector, { modifiers: ['Control'] }),
  Enter: (page, selector) => page.press(selector, 'Enter'),
};

let visits = 0;
/** Returns a `ref` that no other test uses, to tell one test's clicks from another's. */
const newRef = () => `e2e-${process.pid}-${visits++}`;

for (const { name, selector, event, label } of ctasOn('/')) {
  for (const [way, activate] of Object.entries(WAYS)) {
    test(`${name}: ${way} is one line in the log and one cta_click, both with the ref`, async ({
      page,
      world,
    }) => {
      const ref = newRef();
      await page.goto(`/?ref=${ref}`);
      await started(page);
      await activate(page, selector);
      await expect
        .poll(() => world.signUps.filter((visit) => visit.includes(ref)))
        .toEqual([`/create-account?invitation_code=SMADRIVE&ref=${ref}`]);

      const [line] = await loggedClicks(world, ref, 1);
      expect(line).toMatchObject({
        event,
        referrer: ref,
        page_url: `${world.url}?ref=${ref}`,
        is_mobile: false,
        user_agent: await page.evaluate(() => navigator.userAgent),
        via: 'fetch',
      });
      expect(Date.parse(String(line?.timestamp))).toBeGreaterThan(Date.now() - 60_000);

      const [captured] = await capturedEvents(world, 'cta_click', ref, 1);
      expect(captured?.uuid).toBe(line?.id);
      expect(captured?.properties).toMatchObject({
        category: 'CTA',
        label,
        value: 1,
        event_id: line?.id,
        $session_id: line?.visit_id,
      });
    });
  }
}

for (const language of LANGUAGES) {
  const path = pathIn(language, CTA_PATHS.help);
  test(`a click on ${path} is one line in the log, with its page and its ref`, async ({
    page,
    world,
  }) => {
    const ref = newRef();
    await page.goto(`${path}?ref=${ref}`);
    await page.click('[data-cta=help]');
    await expect
      .poll(() => world.signUps.filter((visit) => visit.includes(ref)))
      .toEqual([`/create-account?invitation_code=SMADRIVE&ref=${ref}`]);
    const [line] = await loggedClicks(world, ref, 1);
    const page_url = new URL(`${path}?ref=${ref}`, world.url).href;
    expect(line).toMatchObject({ event: CTAS.help.event, referrer: ref, page_url });
  });
}

test.describe('without a ref the link has none, and the log has null, for a click', () => {
  const PORTAL = '/create-account?invitation_code=SMADRIVE';
  const LOG = '**/api/log-cta*';
  test.use({ expectedComplaints: /ERR_FAILED/ });
  test.afterEach(({ world }) => world.slow.release());

  /** The one new click, and the only new visit of the portal, which has no ref. */
  async function theClick(world: World, before: number, visits: number) {
    const [line] = await newClicks(world, before, 1);
    expect(line?.referrer).toBeNull();
    expect(world.signUps.slice(visits)).toEqual([PORTAL]);
    return line;
  }
  const countBefore = (world: World) => [world.site.lines().length, world.signUps.length] as const;

  test('sent by fetch, and PostHog too', async ({ page, world }) => {
    const [before, visits] = countBefore(world);
    await page.goto('/');
    await started(page);
    await page.click('[data-cta=hero]');
    const line = await theClick(world, before, visits);
    expect(line).toMatchObject({ via: 'fetch', visit_id: expect.any(String) });
    const sent = () => world.posthog.events.filter((event) => event.uuid === line?.id);
    const [event] = await steadyCount(sent, 1, 'events of the click');
    expect(event?.properties.referrer).toBeNull();
  });

  test('sent as a beacon', async ({ page, world }) => {
    const [before, visits] = countBefore(world);
    world.slow.hold(/\.js$/);
    await page.goto(world.slow.url, { waitUntil: 'commit' });
    await page.click('[data-cta=hero]');
    const line = await theClick(world, before, visits);
    expect(line).toMatchObject({ via: 'beacon', visit_id: expect.any(String) });
  });

  test('sent by the ping of the link', async ({ browser, world }) => {
    const [before, visits] = countBefore(world);
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: world.url });
    recordSignUps(context, world);
    const page = await context.newPage();
    await page.goto('/');
    await page.click('[data-cta=hero]');
    expect((await theClick(world, before, visits))?.via).toBe('ping');
    await context.close();
  });

  test('delivered by a later visit', async ({ page, world }) => {
    const [before, visits] = countBefore(world);
    await page.route(LOG, (route) => route.abort());
    await page.goto('/');
    await page.click('[data-cta=hero]');
    await expect.poll(() => world.signUps.length).toBe(visits + 1);
    await page.goto('about:blank');
    await page.unroute(LOG);
    await page.goto('/?ref=a-later-visit');
    const line = await theClick(world, before, visits);
    expect(line).toMatchObject({ page_url: world.url, visit_id: expect.any(String) });
  });
});

test('the right button is not a click', async ({ page, world }) => {
  const ref = newRef();
  await page.goto(`/?ref=${ref}`);
  await page.click('[data-cta=hero]', { button: 'right' });
  await page.click('[data-cta=hero]');
  await loggedClicks(world, ref, 1);
});

test.describe('opening a new tab', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test('the page never waits: its opener keeps its place and its focus', async ({
    page,
    context,
  }) => {
    await page.goto('/');
    const closing = page.locator('[data-cta=closing]');
    await closing.focus();
    await settle(page);
    const before = await page.evaluate(() => scrollY);
    const portal = context.waitForEvent('page');
    await page.keyboard.press('Enter');
    await portal;
    expect(await page.evaluate(() => scrollY)).toBe(before);
    await expect(closing).toBeFocused();
  });
});

test.describe('hostile refs', () => {
  const REFS: Record<string, { query: string; ref: string | null }> = {
    'a script': {
      query: `?ref=${encodeURIComponent('"><script>alert(1)</script>')}`,
      ref: '"><script>alert(1)</script>',
    },
    'line breaks': { query: '?ref=a%0D%0A%7B%22b%22%3A1%7D', ref: 'a{"b":1}' },
    'ten kilobytes': { query: `?ref=${'x'.repeat(10_240)}`, ref: 'x'.repeat(128) },
    'a lone surrogate': { query: '?ref=%ED%A0%80', ref: '\uFFFD\uFFFD\uFFFD' },
    'a pair cut in two': { query: `?ref=${'y'.repeat(127)}%F0%9F%98%80`, ref: 'y'.repeat(127) },
    'repeated parameters': { query: '?ref=one&ref=two&ref[]=three', ref: 'one' },
    nothing: { query: '?ref=', ref: null },
  };
  for (const [name, { query, ref }] of Object.entries(REFS)) {
    test(`${name} breaks nothing`, async ({ page, world }) => {
      const before = world.site.lines().length;
      await page.goto(`/${query}`);
      const visits = world.signUps.length;
      await page.click('[data-cta=hero]');
      await expect.poll(() => world.signUps.length).toBe(visits + 1);
      const address = new URL(world.signUps.at(-1) ?? '', 'https://portal.example');
      expect(address.searchParams.getAll('ref')).toEqual(ref === null ? [] : [ref]);
      expect(address.searchParams.get('invitation_code')).toBe('SMADRIVE');
      const [line] = await newClicks(world, before, 1);
      expect(line?.referrer).toBe(ref);
    });
  }
});

test.describe('the IP look-up', () => {
  const click = async (page: Page, world: World) => {
    const ref = newRef();
    await page.goto(`/?ref=${ref}`);
    await page.click('[data-cta=hero]');
    const [line] = await loggedClicks(world, ref, 1);
    return line;
  };

  test('is asked once, without cookies or referrer, and its answer is in the log', async ({
    page,
    world,
  }) => {
    const before = world.ipLookup.requests.length;
    const ref = newRef();
    await page.goto(`/?ref=${ref}`, { waitUntil: 'networkidle' });
    const answered = page.waitForResponse(/lookup/);
    await page.hover('[data-cta=hero]');
    await answered;
    await page.click('[data-cta=hero]');
    await page.click('[data-cta=closing]');
    const lines = await loggedClicks(world, ref, 2);
    expect(lines.map((line) => line.ip)).toEqual(['203.0.113.7', '203.0.113.7']);
    expect(world.ipLookup.requests.length).toBe(before + 1);
    expect(world.ipLookup.requests.at(-1)).not.toHaveProperty('referer');
    expect(world.ipLookup.requests.at(-1)).not.toHaveProperty('cookie');
  });

  for (const body of ['{"ip":"<script>"}', '{"ip":7}', '[]', 'null', '<html>', '']) {
    test(`answering ${JSON.stringify(body)} gives no address`, async ({ page, world }) => {
      world.ipLookup.behaviour = { kind: 'answer', body };
      expect((await click(page, world))?.ip).toBeNull();
    });
  }

  test('delays nothing when it hangs', async ({ page, world }) => {
    world.ipLookup.behaviour = { kind: 'hang' };
    expect((await click(page, world))?.ip).toBeNull();
  });

  test.describe('refused', () => {
    test.use({ expectedComplaints: /403 \(Forbidden\)/ });
    test('gives no address', async ({ page, world }) => {
      world.ipLookup.behaviour = { kind: 'refuse' };
      expect((await click(page, world))?.ip).toBeNull();
    });
  });
});

test.describe('before the scripts have loaded', () => {
  test.beforeEach(({ world }) => world.slow.hold(/\.js$/));
  test.afterEach(({ world }) => world.slow.release());

  test('a click at the first paint is logged with its ref', async ({ page, world }) => {
    const ref = newRef();
    await page.goto(`${world.slow.url}?ref=${ref}`, { waitUntil: 'commit' });
    const link = page.locator('[data-cta=hero]');
    await link.waitFor();
    expect(await link.getAttribute('href')).toContain(`ref=${ref}`);
    expect(await link.getAttribute('ping')).toBeNull();
    await link.click();
    await page.close({ runBeforeUnload: true });
    const [line] = await loggedClicks(world, ref, 1);
    expect(line).toMatchObject({ event: 'hero_cta_click', via: 'beacon' });
  });

  test('a click is counted once when they load later', async ({ page, world }) => {
    const ref = newRef();
    await page.goto(`${world.slow.url}?ref=${ref}`, { waitUntil: 'commit' });
    await page.click('[data-cta=hero]');
    world.slow.release();
    await loggedClicks(world, ref, 1);
    await capturedEvents(world, 'cta_click', ref, 1);
  });
});

test.describe('PostHog blocked', () => {
  test.use({ expectedComplaints: /ERR_BLOCKED_BY_CLIENT|Failed to fetch/ });
  test('leaves our own log complete', async ({ page, context, world }) => {
    const ref = newRef();
    await context.route('**/k/**', (route) => route.abort('blockedbyclient'));
    await page.goto(`/?ref=${ref}`);
    await page.click('[data-cta=hero]');
    await page.click('[data-cta=closing]');
    await loggedClicks(world, ref, 2);
  });
});

test('without script the ping of the link counts the click', async ({ browser, world }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    baseURL: world.url,
  });
  const page = await context.newPage();
  const ref = newRef();
  await page.goto(`/?ref=${ref}`);
  await page.click('[data-cta=closing]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line).toMatchObject({ event: CTAS.closing.event, via: 'ping', ip: null });
  await context.close();
});
