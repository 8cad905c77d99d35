/** Compares what a browser sends and stores during a whole visit with the lists on /help/privacy/. */
import type { Page, Request } from '@playwright/test';
import { REQUESTS, STORED } from '#contract/recorded.ts';
import { readSiteConfig } from '#site.config.ts';
import { BUILDS, type BuildName } from './build-sites.ts';
import { expect, type World } from './fixtures.ts';

/** Starts to collect. @returns a function that checks everything so far; the visit need not have stored the `optional` keys */
export async function watchRecording(page: Page, world: World, build: BuildName) {
  const facts = readSiteConfig(BUILDS[build]);
  const sent = new Set<string>();
  const stored = new Set<string>();
  page.on('request', (request) => {
    const name = nameOf(request, world.url);
    if (name) sent.add(name);
  });
  await page.exposeFunction('reportKey', (key: string) => stored.add(key.replace(/:.*/, ':')));
  await page.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      (window as unknown as { reportKey(key: string): void }).reportKey(key);
      setItem.call(this, key, value);
    };
  });
  const addresses = Object.values(REQUESTS).flatMap(({ method, to }) => {
    const address = to(facts);
    return address ? [{ address, name: `${method} ${address}` }] : [];
  });
  const keys = Object.entries(STORED).flatMap(([key, applies]) => (applies(facts) ? [key] : []));

  return async (optional: string[]) => {
    // The whole list, so that no entry stays on the page without a request.
    await expect.poll(() => [...sent].sort()).toEqual(addresses.map(({ name }) => name).sort());
    const unused = () => keys.filter((key) => !optional.includes(key) && !stored.has(key));
    await expect.poll(unused).toEqual([]);
    expect([...stored].filter((key) => !keys.includes(key))).toEqual([]);
    // The page writes "click:…", because a key with a colon at its end looks like a mistake.
    const shown = keys.map((key) => key.replace(/:$/, ':…'));
    for (const path of ['/help/privacy/', '/es/help/privacy/']) {
      await page.goto(path);
      for (const name of [...addresses.map(({ address }) => address), ...shown]) {
        await expect(page.locator('main code').getByText(name, { exact: true })).toBeVisible();
      }
    }
  };
}

/** @returns null for the site's own pages and files, and for the portal */
function nameOf(request: Request, site: string): string | null {
  const { origin, pathname, host, hostname } = new URL(request.url());
  if (!/^https?:/.test(request.url()) || hostname === 'portal.example') return null;
  if (!site.startsWith(origin)) return `${request.method()} ${host}`;
  return /^\/(api|k)\//.test(pathname) || request.method() !== 'GET'
    ? `${request.method()} ${pathname}`
    : null;
}
