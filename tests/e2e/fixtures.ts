/**
 * Fixtures of every browser test: the real build behind the real server, a local PostHog and a local IP service, and
 * a Chromium that finds them by name. A test fails on any console error, page error or violation of the content
 * security policy that it does not list in `expectedComplaints`.
 */

import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { VISIT_PROPERTIES } from '#contract/events.ts';
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';
import {
  findHeadlessChromium,
  hideHeadlessBrand,
  withBackForwardCache,
} from '../helpers/browser/chromium.ts';
import { type HoldingProxy, startHoldingProxy } from '../helpers/fakes/holding-proxy.ts';
import {
  type IpLookupServer,
  startIpLookupServer,
  WORKING,
} from '../helpers/fakes/ip-lookup-server.ts';
import { openSmtpServer } from '../helpers/fakes/open-smtp-server.ts';
import { PORTAL_HOST, type PortalServer, startPortal } from '../helpers/fakes/portal-server.ts';
import {
  type PosthogCapture,
  startPosthogCapture,
} from '../helpers/fakes/posthog-capture/start-posthog-capture.ts';
import { steadyCount } from '../helpers/run/steady-count.ts';
import { withSettings } from '../helpers/run/with-settings.ts';
import { type LogLine, type SiteProcess, startSite } from '../helpers/server/site-process.ts';
import { type BuildName, distOf, LOOKUP_HOST, SITE_HOST } from './build-sites.ts';

/** Not headless, because robots are not counted. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

export interface World {
  url: string;
  site: SiteProcess;
  posthog: PosthogCapture;
  ipLookup: IpLookupServer;
  portal: PortalServer;
  smtp: Awaited<ReturnType<typeof openSmtpServer>>;
  /** Opened paths of create-account pages with their queries, in order. */
  signUps: string[];
  /** The site behind a proxy that can delay responses. */
  slow: HoldingProxy & { url: string };
}

interface WorkerFixtures {
  build: BuildName;
  serverEnv: Record<string, string>;
  world: World;
}

interface TestFixtures {
  /** A `ref` that no other test uses, to tell this test's clicks and events from all others of its server. */
  ref: string;
  /** A page of a whole browser that keeps a left page in its back-forward cache, which the shell cannot. */
  keptPage: Page;
  /** Complaints of the browser that this test expects. */
  expectedComplaints: RegExp | null;
  complaints: string[];
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  build: ['tracked', { scope: 'worker', option: true }],
  serverEnv: [{}, { scope: 'worker', option: true }],
  world: [
    async ({ build, serverEnv }, use) => {
      const posthog = await startPosthogCapture();
      const ipLookup = await startIpLookupServer();
      const portal = await startPortal();
      const smtp = await openSmtpServer();
      const site = await startSite({
        DIST_DIR: withSettings(distOf(build), { posthogHost: posthog.url }),
        TRUST_PROXY: 'loopback',
        SMTP_URL: smtp.url,
        ...serverEnv,
      });
      const proxy = await startHoldingProxy(site.port);
      const slow = { ...proxy, url: `http://${SITE_HOST}:${proxy.port}/` };
      const url = `http://${SITE_HOST}:${site.port}/`;
      await use({ url, site, posthog, ipLookup, portal, smtp, signUps: [], slow });
      await site.remove();
      await Promise.all([posthog, ipLookup, portal, smtp, proxy].map((server) => server.close()));
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ world }, use) => {
      const executablePath = findHeadlessChromium();
      await use({
        ...(executablePath && {
          executablePath: 'tests/helpers/browser/chromium.sh',
          env: { ...process.env, CHROMIUM: executablePath },
        }),
        args: [
          '--no-sandbox',
          // For the portal's self-made certificate, also in tabs opened in the background.
          '--ignore-certificate-errors',
          // Also for the beacons of a page that goes away, to which Playwright's own setting does not apply.
          `--user-agent=${USER_AGENT}`,
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
          `--host-resolver-rules=${hostRules(world)}`,
          // posthog-js takes an automated browser for a bot, and then sends nothing.
          '--disable-blink-features=AutomationControlled',
        ],
      });
    },
    { scope: 'worker' },
  ],
  userAgent: USER_AGENT,
  baseURL: ({ world }, use) => use(world.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures.
  ref: ({}, use, { testId, repeatEachIndex }) => use(`${testId}-${repeatEachIndex}`),
  keptPage: async ({ playwright, launchOptions, world }, use) => {
    const browser = await playwright.chromium.launch(withBackForwardCache(launchOptions));
    const context = await browser.newContext({ baseURL: world.url, userAgent: USER_AGENT });
    await context.addInitScript(hideHeadlessBrand);
    recordSignUps(context, world);
    await use(await context.newPage());
    await browser.close();
  },
  expectedComplaints: [null, { option: true }],
  complaints: [
    async ({ context, expectedComplaints, world }, use) => {
      world.ipLookup.behaviour = WORKING;
      const complaints: string[] = [];
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()))
          complaints.push(`${message.text()} ${message.location().url}`);
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      await context.exposeBinding('reportViolation', (_source, text: string) => {
        complaints.push(text);
      });
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          const { reportViolation } = window as unknown as { reportViolation(text: string): void };
          reportViolation(`CSP: ${event.violatedDirective} blocked ${event.blockedURI}`);
        });
      });
      recordSignUps(context, world);
      await context.addInitScript(hideHeadlessBrand);
      await use(complaints);
      const unexpected = complaints.filter((text) => !expectedComplaints?.test(text));
      expect(unexpected, 'the browser complained').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Notes each create-account page that a tab of the context opens, at the portal and at its stand-in. */
export function recordSignUps(context: BrowserContext, { signUps }: World): void {
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === CREATE_ACCOUNT_PATH) signUps.push(pathname + search);
  });
}

/** Maps every host name of the page to a server of this test. */
function hostRules({ ipLookup, portal }: World): string {
  return [
    `MAP ${SITE_HOST} 127.0.0.1`,
    `MAP ${LOOKUP_HOST} 127.0.0.1:${ipLookup.port}`,
    `MAP ${PORTAL_HOST} 127.0.0.1:${portal.port}`,
  ].join(', ');
}

/** Returns the clicks on disk with this `ref`, once their number is steady. Fails if there are more, or too few in time. */
export function loggedClicks(world: World, ref: string, count: number): Promise<LogLine[]> {
  const ours = () => world.site.lines().filter((line) => line.referrer === ref);
  return steadyCount(ours, count, `clicks with the ref ${ref}`);
}

/** Returns the clicks on disk after the first `before` ones, for visits without a ref of their own. */
export function newClicks(world: World, before: number, count: number): Promise<LogLine[]> {
  const added = () => world.site.lines().slice(before);
  return steadyCount(added, count, 'new clicks');
}

/** Returns PostHog's events of a name and a referrer, once their number is steady. Fails if there are more. */
export function capturedEvents(world: World, name: string, ref: string | null, count: number) {
  const ours = () =>
    world.posthog.events.filter(
      ({ event, properties }) => event === name && properties.referrer === ref,
    );
  return steadyCount(ours, count, `events ${name}`);
}

/** The file name of posthog-js, which is a chunk of its own. */
export function posthogFile(): string {
  const files = globSync(`${distOf('tracked')}/client/assets/**/*.js`).filter((file) =>
    readFileSync(file, 'utf8').includes('You have already initialized PostHog'),
  );
  expect(files).toHaveLength(1);
  return basename(files[0] ?? '');
}

/** The properties that every event of a visit has in common. */
export const visitPart = (properties: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(VISIT_PROPERTIES).map((name) => [name, properties[name]]));
