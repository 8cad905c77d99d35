/** Starts Firefox, and controls it over WebDriver BiDi. */
import puppeteer, { type Browser } from 'puppeteer-core';
import type { EnginePage } from './webkit.ts';

const WINDOW = { width: 1280, height: 800 };

/** Starts Firefox. @param preferences names and values, as on the page `about:config` */
export const launchFirefox = (
  executablePath: string,
  preferences: Record<string, boolean> = {},
): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: {
      // By default, Firefox offers to restore earlier tabs, and contacts Mozilla's servers.
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
      // The load event is not waited for, because tests hold back requests on purpose.
      page.goto(url).catch(() => {});
    },
    evaluate: (ask) => page.evaluate(ask),
    click: (selector) => page.locator(selector).click(),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
