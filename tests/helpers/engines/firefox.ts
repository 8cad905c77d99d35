/** Firefox, driven over WebDriver BiDi. */
import puppeteer, { type Browser } from 'puppeteer-core';
import type { EnginePage } from './webkit.ts';

const WINDOW = { width: 1280, height: 800 };

/** @param preferences of the profile, as on Firefox's page `about:config` */
export const launchFirefox = (
  executablePath: string,
  preferences: Record<string, boolean> = {},
): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: {
      // Otherwise Firefox offers to restore earlier tabs, and contacts its maker's servers.
      'browser.sessionstore.resume_from_crash': false,
      'network.captive-portal-service.enabled': false,
      ...preferences,
    },
  });

export async function openFirefox(executablePath: string): Promise<EnginePage> {
  const browser = await launchFirefox(executablePath);
  const page = await browser.newPage();
  await page.setViewport(WINDOW);
  return {
    async go(url) {
      // Does not wait for the load event, because tests hold back requests on purpose.
      page.goto(url).catch(() => {});
    },
    evaluate: (ask) => page.evaluate(ask),
    click: (selector) => page.locator(selector).click(),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
