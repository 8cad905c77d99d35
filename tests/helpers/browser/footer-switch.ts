/** The footer's switch, with its toast and its tooltip. */
import type { Locator, Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { islands as islandsEn } from '../../../words/en/islands.ts';
import { islands as islandsEs } from '../../../words/es/islands.ts';
import { BUILDS } from '../run/build-sites.ts';
import { islandsInViewReady } from './page-waits.ts';

const site = readSiteConfig(BUILDS.tracked);
export const WORDS = { en: islandsEn(site), es: islandsEs(site) };

export const theSwitch = (page: Page): Locator => page.locator('#opt-out button');
export const theToast = (page: Page): Locator => page.locator('[data-toast][data-state=open]');
export const theTooltip = (page: Page): Locator => page.locator('[data-tooltip]');

/**
 * Opens the landing page with a clock that a test can stop, and scrolls to its footer.
 *
 * @returns the switch
 */
export async function openFooter(page: Page, language: Language = 'en'): Promise<Locator> {
  await page.clock.install();
  await page.goto(pathIn(language, '/'));
  // As a browser's translator does.
  await page.evaluate(() => document.documentElement.setAttribute('lang', 'fr'));
  await islandsInViewReady(page);
  await page.locator('footer').scrollIntoViewIfNeeded();
  await theSwitch(page).waitFor();
  return theSwitch(page);
}
