/**
 * What PostHog has of whole visits, decoded at its stand-in: every event of a visit has the same visit properties, with and
 * without posthog-js, from the browser and from the table.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { VISIT_PROPERTIES } from '#contract/events.ts';
import { withBackForwardCache } from '../helpers/browser/headless-chromium.ts';
import { leaveAndReturn } from '../helpers/browser/page-steps.ts';
import { distOf } from './build-sites.ts';
import { expect, firstPaint, settle, test, type World } from './fixtures.ts';

test.use({
  build: 'form',
  expectedComplaints: /ERR_BLOCKED_BY_CLIENT|inspector/,
  launchOptions: [
    ({ launchOptions }, use) => use(withBackForwardCache(launchOptions)),
    { scope: 'worker' },
  ],
});

const CTA = '[data-cta=hero]';
const UTM = {
  utm_source: 'cure-sma',
  utm_medium: 'email',
  utm_campaign: 'spring.2026',
  utm_content: 'button-top',
  utm_term: 'sma_registry',
};
/** Never leave the page: click ids, values that may name a person, and unknown parameters. */
const PLANTED = {
  gclid: 'planted-gclid',
  fbclid: 'planted-fbclid',
  msclkid: 'planted-msclkid',
  token: 'planted-token',
};

interface Journey {
  name: string;
  act: (page: Page, world: World) => Promise<void>;
  /** Events that PostHog has afterwards, besides viewed sections and web vitals. */
  events: string[];
  clicks: number;
}

/** Resolves once the browser has told the page's observers what is in view. */
const observersCalled = () =>
  new Promise((resolve) => {
    new IntersectionObserver(resolve).observe(document.body);
  });

const leave = (page: Page) => page.goto('about:blank');

const JOURNEYS: Journey[] = [
  {
    name: 'land and leave',
    act: async (page) => {
      await firstPaint(page);
      await leave(page);
    },
    events: ['$pageview'],
    clicks: 0,
  },
  {
    name: 'read',
    act: async (page, world) => {
      await settle(page);
      await page.evaluate(() =>
        document.getElementById('benefits')?.scrollIntoView({ behavior: 'instant' }),
      );
      await page.evaluate(observersCalled);
      await page.clock.runFor(2000);
      await leave(page);
      await expect.poll(() => namesAt(world, page)).toContain('section_viewed');
    },
    events: ['$pageview'],
    clicks: 0,
  },
  {
    name: 'click',
    act: async (page) => {
      await settle(page);
      await page.click(CTA);
    },
    events: ['$pageview', 'cta_click'],
    clicks: 1,
  },
  {
    name: 'click and close at once',
    act: async (page) => {
      await firstPaint(page);
      await page.click(CTA);
      await page.close();
    },
    events: ['$pageview', 'cta_click'],
    clicks: 1,
  },
  {
    name: 'register',
    act: async (page) => {
      await settle(page);
      await page.evaluate(() =>
        document.getElementById('register')?.scrollIntoView({ behavior: 'instant' }),
      );
      await page.locator('[data-island=register-form][data-ready]').waitFor();
      await page.getByLabel('First name').fill('Ada');
      await page.getByLabel('Last name').fill('Lovelace');
      await page.getByLabel('Email address').fill('ada@example.org');
      await page.getByLabel('I agree to the terms and conditions').check();
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByRole('heading', { name: 'Welcome to the SMA Data Drive!' }).waitFor();
      await leave(page);
    },
    events: ['$pageview', 'registration_submitted', 'registration_succeeded'],
    clicks: 0,
  },
  {
    name: 'return through the back-forward cache',
    act: async (page) => {
      await settle(page);
      await page.click(CTA, { modifiers: ['Control'] });
      await leaveAndReturn(page, 'about:blank');
      await page.click(CTA, { modifiers: ['Control'] });
    },
    events: ['$pageview', 'cta_click', 'cta_click'],
    clicks: 2,
  },
];

const refs = new WeakMap<Page, string>();
const eventsOf = (world: World, ref: string) =>
  world.posthog.merged().filter(({ properties }) => properties.referrer === ref);
const namesAt = (world: World, page: Page) =>
  eventsOf(world, refs.get(page) ?? '').map(({ event }) => event);

const OPTIONAL = ['section_viewed', 'web_vital'];

for (const way of ['with', 'without'] as const) {
  for (const { name, act, events, clicks } of JOURNEYS) {
    test(`${name}, ${way} posthog-js: every event has the visit’s properties, and nothing else leaves the page`, async ({
      context,
      page,
      world,
    }) => {
      const ref = `${way}-${name.replaceAll(' ', '-')}`;
      refs.set(page, ref);
      if (way === 'without') await blockPosthog(page);
      const sent = recordSent(context);
      if (name === 'read') await page.clock.install();
      const query = new URLSearchParams({ ...PLANTED, ref, ...UTM });
      await page.goto(`/?${query}&utm_id=planted+person`, {
        referer: 'https://www.google.com/search?q=planted',
        waitUntil: 'commit',
      });
      await act(page, world);

      const main = () =>
        eventsOf(world, ref)
          .map(({ event }) => event)
          .filter((event) => !OPTIONAL.includes(event));
      await expect.poll(() => main().sort()).toEqual(events.sort());
      const lines = () => world.site.lines().filter(({ referrer }) => referrer === ref);
      await expect.poll(() => lines().length).toBe(clicks);

      const all = eventsOf(world, ref);
      const [first] = all.map(({ properties }) => visitPart(properties));
      for (const { event, properties } of all) {
        expect({ event, ...visitPart(properties) }).toEqual({ event, ...first });
      }
      expect(Object.keys(first ?? {})).toEqual(Object.keys(VISIT_PROPERTIES));
      const unknown = Object.entries(first ?? {}).filter(([, value]) => value === null);
      // `referrerDetail` "class" keeps no host.
      expect(unknown).toEqual([['$referring_domain', null]]);
      expect(first).toMatchObject({ ...UTM, referring_class: 'search', $browser: 'Chrome' });
      expect(lines().map(({ seq }) => seq)).toEqual(clicks === 2 ? [1, 2] : clicks ? [1] : []);
      for (const line of lines()) {
        expect(line).toMatchObject({ campaign: UTM, referring_domain: 'search' });
      }
      const everything = [sent, world.posthog.requests.map(({ body }) => body), lines()];
      expect(JSON.stringify(everything)).not.toContain('planted');
    });
  }
}

const visitPart = (properties: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(VISIT_PROPERTIES).map((name) => [name, properties[name]]));

/** Blocks the chunk of posthog-js, as content blockers do. Not by a route, which would also stop a leaving page's beacons. */
async function blockPosthog(page: Page): Promise<void> {
  const chunks = globSync(`${distOf('form')}/client/assets/chunks/*.js`).filter((file) =>
    readFileSync(file, 'utf8').includes('person_profiles'),
  );
  expect(chunks).not.toEqual([]);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setBlockedURLs', { urls: chunks.map((file) => `*${basename(file)}`) });
}

/** Bodies and addresses of all requests, except for the page itself. Beacons are decoded at the server's side. */
function recordSent(context: BrowserContext): string[] {
  const sent: string[] = [];
  context.on('request', (request) => {
    if (request.isNavigationRequest()) return;
    const body = request.postDataBuffer()?.toString() ?? '';
    sent.push(request.url(), decodeURIComponent(body.replaceAll('+', ' ')));
    const [, base64] = /^data=([^&]*)/.exec(body) ?? [];
    if (base64) sent.push(Buffer.from(decodeURIComponent(base64), 'base64').toString());
  });
  return sent;
}
