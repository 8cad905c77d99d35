/** Compares a built page's words about counting with the data that its server keeps and others get. */
import type { Page } from '@playwright/test';
import { readSiteConfig } from '#site.config.ts';
import { countingDetails } from '../../words/en/counting.ts';
import { optOut } from '../../words/en/opt-out.ts';
import { BUILDS, type BuildName } from './build-sites.ts';
import { capturedEvents, expect, loggedClicks, settle, type World } from './fixtures.ts';

/** The browser's address in these tests, and its network's. */
const ADDRESS = '127.0.0.1';
const NETWORK = '127.0.0.0';

/** Follows the link to the words, comes back, and checks each statement against a click. */
export async function expectTruth(page: Page, world: World, build: BuildName): Promise<void> {
  const facts = readSiteConfig(BUILDS[build]);
  const lookups = world.ipLookup.requests.length;
  const ref = `truth-${build}`;
  await page.goto(`/?ref=${ref}`);
  const words = await readAll(page);
  expect(words).toBe(countingDetails(facts).join('\n'));
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  await page.locator('footer').scrollIntoViewIfNeeded();
  const status = page.locator('[data-island=opt-out] p');
  await expect(status).toHaveText(optOut(facts).isOn);

  await page.click('[data-cta=hero]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.remote_ip === ADDRESS).toBe(/we keep your network \(IP\) address\./.test(words));
  expect(line?.remote_ip === NETWORK).toBe(/we keep your .* without its last part/.test(words));
  expect(world.ipLookup.requests.length > lookups).toBe(/your browser asks/.test(words));
  if (/PostHog/.test(words)) await expectAtPosthog(world, ref, words);
  else expect(world.posthog.requests).toEqual([]);
}

/** Returns the paragraphs below the heading "What we count" of the help page. */
async function readAll(page: Page): Promise<string> {
  await page.locator('a[href*="/help/privacy/"]').first().click();
  const section = page.locator('section:has(#counting)');
  return (await section.locator('p').allInnerTexts()).join('\n');
}

async function expectAtPosthog(world: World, ref: string, words: string): Promise<void> {
  // The landing page twice, and the help page between them.
  await capturedEvents(world, '$pageview', ref, 3);
  await capturedEvents(world, 'cta_click', ref, 1);
  const getsPart = /it gets your network address without/i.test(words);
  const isWithheld = /it does not get your network address/i.test(words);
  const { requests, events } = world.posthog;
  for (const { headers } of requests.filter(({ body }) => body.includes(ref))) {
    expect(headers).not.toHaveProperty('x-forwarded-for');
  }
  expect(getsPart).toBe(!isWithheld);
  for (const { properties } of events.filter(({ properties }) => properties.referrer === ref)) {
    expect(properties.$ip).toBe(getsPart ? NETWORK : '192.0.2.0');
  }
  expect(JSON.stringify(world.posthog.events)).not.toContain(ADDRESS);
}
