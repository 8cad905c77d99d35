/** Firefox, driven over WebDriver BiDi. */
import puppeteer, { type Browser } from 'puppeteer-core';
import type { Engine, EnginePage } from './webkit.ts';

const WINDOW = { width: 1280, height: 800 };

export async function startFirefox(executablePath: string): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: {
      // Otherwise Firefox offers to restore earlier tabs, and contacts its maker's servers.
      'browser.sessionstore.resume_from_crash': false,
      'network.captive-portal-service.enabled': false,
    },
  });
  return {
    name: `Firefox ${(await browser.version()).replace(/^\D+/, '')}`,
    openPage: () => openPage(browser),
    close: () => browser.close(),
  };
}

async function openPage(browser: Browser): Promise<EnginePage> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport(WINDOW);
  return {
    async go(url) {
      // Does not wait for the load event, because tests hold back requests on purpose.
      page.goto(url).catch(() => {});
    },
    evaluate: (ask, ...args) =>
      page.evaluate(ask as never, ...(args as unknown as never[])) as never,
    click: (selector) => page.locator(selector).click(),
    close: () => context.close(),
  };
}
