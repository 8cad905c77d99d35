/** Firefox, driven over WebDriver BiDi. */
import puppeteer, { type Browser, type KeyInput, type Page } from 'puppeteer-core';
import type { Engine, EnginePage, Key } from './engine-page.ts';

const WINDOW = { width: 1280, height: 800 };

/** @param preferences values by their names in about:config */
export async function startFirefox(
  executablePath: string,
  preferences: Record<string, boolean> = {},
): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: {
      // Otherwise Firefox offers to restore earlier tabs, and contacts its maker's servers.
      'browser.sessionstore.resume_from_crash': false,
      'network.captive-portal-service.enabled': false,
      ...preferences,
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
    hover: (selector) => page.locator(selector).hover(),
    press: (key) => press(page, key),
    async openedTabs() {
      const tabs = (await context.pages()).filter((tab) => tab !== page);
      return tabs.map((tab) => askedFor(tab.url()));
    },
    close: () => context.close(),
  };
}

/** Reads the URL from Firefox's error page, because the portal does not exist here. */
function askedFor(url: string): string {
  const { protocol, searchParams } = new URL(url);
  return (protocol === 'about:' && searchParams.get('u')) || url;
}

async function press(page: Page, key: Key): Promise<void> {
  if (key !== 'Shift+Tab') return page.keyboard.press(key as KeyInput);
  await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  await page.keyboard.up('Shift');
}
