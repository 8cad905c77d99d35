/** Do Not Track as a real browser sends it: the tests set the browser's preference, not request headers. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { withWholeChromium } from '../helpers/browser/headless-chromium.ts';
import { expect, loggedClicks, settle, test } from './fixtures.ts';

test('a browser with Do Not Track: its fetch, beacon and ping are private, and no other service learns of it', async ({
  launchOptions,
  world,
}) => {
  const profile = await mkdtemp(join(tmpdir(), 'profile-'));
  await mkdir(join(profile, 'Default'));
  await writeFile(
    join(profile, 'Default/Preferences'),
    JSON.stringify({ enable_do_not_track: true }),
  );
  const ref = 'do-not-track';
  const lookups = world.ipLookup.requests.length;
  for (const javaScriptEnabled of [true, false]) {
    const context = await chromium.launchPersistentContext(profile, {
      ...withWholeChromium(launchOptions),
      javaScriptEnabled,
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(`${world.url}?ref=${ref}`);
    if (javaScriptEnabled) {
      await settle(page);
      await page.evaluate(sendBeaconWith, ref);
    }
    await page.click('[data-cta=hero]');
    await loggedClicks(world, ref, javaScriptEnabled ? 2 : 3);
    await context.close();
  }
  await rm(profile, { recursive: true, force: true });

  const lines = await loggedClicks(world, ref, 3);
  expect(new Set(lines.map(({ via }) => via))).toEqual(new Set(['fetch', 'beacon', 'ping']));
  for (const line of lines)
    expect(line).toMatchObject({ private: true, ip: null, remote_ip: null });
  expect(JSON.stringify(world.posthog.events)).not.toContain(ref);
  expect(world.ipLookup.requests.length).toBe(lookups);
});

/** Runs in the page. */
function sendBeaconWith(referrer: string): void {
  const click = {
    event: 'hero_cta_click',
    referrer,
    ip: '203.0.113.7',
    timestamp: new Date().toISOString(),
    page_url: location.href,
    user_agent: navigator.userAgent,
    is_mobile: false,
  };
  const body = new Blob([JSON.stringify(click)], { type: 'application/json' });
  navigator.sendBeacon('/api/log-cta?via=beacon', body);
}
