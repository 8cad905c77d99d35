/**
 * Fixtures of every browser test: the real build behind the real server, a local PostHog and a
 * local IP service, and a Chromium that finds them by name. A test fails on any console error, page
 * error or violation of the content security policy that it does not list in `expectedComplaints`.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { test as base, expect } from '@playwright/test';
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';
import { VISIT_PROPERTIES } from '../../server/posthog/visit-properties.ts';
import { findHeadlessChromium } from '../helpers/browser/chromium.ts';
import { startHoldingProxy } from '../helpers/fakes/holding-proxy.ts';
import { openSmtpServer } from '../helpers/fakes/open-smtp-server.ts';
import {
  PORTAL_HOST,
  startIpLookupServer,
  startPortal,
  WORKING_ANSWER,
} from '../helpers/fakes/other-servers.ts';
import { startPosthogCapture } from '../helpers/fakes/posthog-capture.ts';
import { type BuildName, distOf, LOOKUP_HOST, SITE_HOST } from '../helpers/run/build-sites.ts';
import { withSettings } from '../helpers/run/with-settings.ts';
import { ADMIN_PASSWORD } from '../helpers/server/scrape.ts';
import { startSite } from '../helpers/server/site-process.ts';

/** Not headless, because robots are not counted. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/** For `test.use`: the page moves, as it does for most visitors. */
export const WITH_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const;

/** Starts the site and all that it talks to. */
async function startWorld(build: BuildName) {
  const posthog = await startPosthogCapture();
  const ipLookup = await startIpLookupServer();
  const portal = await startPortal();
  const smtp = await openSmtpServer();
  const folder = mkdtempSync(join(tmpdir(), 'requests-'));
  const requestsFile = join(folder, 'requests');
  writeFileSync(requestsFile, '');
  const site = await startSite({
    DIST_DIR: withSettings(distOf(build), { posthogHost: posthog.url }),
    TRUST_PROXY: 'loopback',
    SMTP_URL: smtp.url,
    ADMIN_PASSWORD,
    NODE_OPTIONS: `--import=${import.meta.resolve('../helpers/server/record-requests.ts')}`,
    REQUESTS_FILE: requestsFile,
  });
  const proxy = await startHoldingProxy(site.port);
  return {
    posthog,
    ipLookup,
    portal,
    smtp,
    site,
    url: `http://${SITE_HOST}:${site.port}/`,
    /** The site behind a proxy that can delay responses. */
    slow: { ...proxy, url: `http://${SITE_HOST}:${proxy.port}/` },
    /**
     * Paths of create-account pages with their queries, in order: what the portal and its stand-in
     * were asked for. Playwright reports no request of a tab that the whole Chromium opens in the
     * background.
     */
    get signUps(): string[] {
      const requests = [...readFileSync(requestsFile, 'utf8').split('\n'), ...portal.requests];
      return requests.filter((url) => url.split('?', 1)[0] === CREATE_ACCOUNT_PATH);
    },
    async close() {
      await site.remove();
      await Promise.all([posthog, ipLookup, portal, smtp, proxy].map((server) => server.close()));
      rmSync(folder, { recursive: true });
    },
  };
}
export type World = Awaited<ReturnType<typeof startWorld>>;

interface WorkerFixtures {
  build: BuildName;
  world: World;
}

interface TestFixtures {
  /**
   * A `ref` that no other test uses, to tell this test's clicks and events from all others of its
   * server.
   */
  ref: string;
  /** Complaints of the browser that this test expects. */
  expectedComplaints: RegExp | null;
  complaints: string[];
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  build: ['tracked', { scope: 'worker', option: true }],
  world: [
    async ({ build }, use) => {
      const world = await startWorld(build);
      await use(world);
      await world.close();
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
          // Also for the beacons of a page that goes away, to which Playwright's own setting does
          // not apply.
          `--user-agent=${USER_AGENT}`,
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
          `--host-resolver-rules=${hostRules(world)}`,
          // Without `navigator.webdriver`: the report leaves out automated browsers, and posthog-js
          // sends nothing in one.
          '--disable-blink-features=AutomationControlled',
        ],
      });
    },
    { scope: 'worker' },
  ],
  userAgent: USER_AGENT,
  // The frames of animations cost a fifth of the run. Tests about motion use WITH_MOTION.
  contextOptions: { reducedMotion: 'reduce' },
  baseURL: ({ world }, use) => use(world.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures.
  ref: ({}, use, { testId, repeatEachIndex }) => use(`${testId}-${repeatEachIndex}`),
  expectedComplaints: [null, { option: true }],
  complaints: [
    async ({ context, expectedComplaints, world }, use) => {
      world.ipLookup.answer = WORKING_ANSWER;
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
      // Its brands name a headless browser, which posthog-js takes for a bot. Firefox and Safari
      // have none.
      await context.addInitScript('delete Navigator.prototype.userAgentData');
      await use(complaints);
      const unexpected = complaints.filter((text) => !expectedComplaints?.test(text));
      expect(unexpected, 'the browser complained').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Maps every host name of the page to a server of this test. */
function hostRules({ ipLookup, portal }: World): string {
  return [
    `MAP ${SITE_HOST} 127.0.0.1`,
    `MAP ${LOOKUP_HOST} 127.0.0.1:${ipLookup.port}`,
    `MAP ${PORTAL_HOST} 127.0.0.1:${portal.port}`,
  ].join(', ');
}

/**
 * The list is complete when it has not changed for this time. A doubled click arrives within
 * milliseconds.
 */
const STEADY_MS = 250;

/**
 * Returns the list, when it has had exactly `count` entries for STEADY_MS. Fails if there are more,
 * or too few after a minute.
 */
async function steadyCount<T>(read: () => T[], count: number, what: string): Promise<T[]> {
  const options = { message: what, timeout: 60_000, intervals: [25] };
  await expect.poll(() => read().length, options).toBeGreaterThanOrEqual(count);
  for (const since = Date.now(); Date.now() < since + STEADY_MS; await wait(25))
    expect(read(), what).toHaveLength(count);
  return read();
}

/**
 * Returns the clicks on disk with this `ref`, once their number is steady. Fails if there are more,
 * or too few in time.
 */
export function loggedClicks(world: World, ref: string, count: number) {
  const ours = () => world.site.lines().filter((line) => line.referrer === ref);
  return steadyCount(ours, count, `clicks with the ref ${ref}`);
}

/**
 * Returns the clicks on disk after the first `before` ones, for visits without a ref of their own.
 */
export function newClicks(world: World, before: number, count: number) {
  const added = () => world.site.lines().slice(before);
  return steadyCount(added, count, 'new clicks');
}

/**
 * Returns PostHog's events of a name and a referrer, once their number is steady. Fails if there
 * are more.
 */
export function capturedEvents(world: World, name: string, ref: string | null, count: number) {
  const ours = () =>
    world.posthog.events.filter(
      ({ event, properties }) => event === name && properties.referrer === ref,
    );
  return steadyCount(ours, count, `events ${name}`);
}

/** The properties that every event of a visit has in common. */
export const visitPart = (properties: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(VISIT_PROPERTIES).map((name) => [name, properties[name]]));
