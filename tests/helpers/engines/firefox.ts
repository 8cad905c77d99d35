/** Firefox, driven over WebDriver BiDi. */
import puppeteer from 'puppeteer-core';
import type { EnginePage } from './webkit.ts';

const WINDOW = { width: 1280, height: 800 };

export async function openFirefox(executablePath: string): Promise<EnginePage> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: {
      // Otherwise Firefox offers to restore earlier tabs, and contacts its maker's servers.
      'browser.sessionstore.resume_from_crash': false,
      'network.captive-portal-service.enabled': false,
    },
  });
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
