/** Finds the Chromium that tests use, and makes Playwright's options for it. */
import { existsSync } from 'node:fs';
import { chromium, type LaunchOptions } from '@playwright/test';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * @returns the path of an installed Chromium: CHROMIUM_PATH or a usual path; undefined for
 * Playwright's own
 */
export function findChromium(): string | undefined {
  const places = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : USUAL_PLACES;
  return places.find((path) => existsSync(path));
}

/** @returns whether the system's Chromium or Playwright's own is installed */
export const hasChromium = (): boolean => existsSync(findChromium() ?? chromium.executablePath());

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * Returns the path of Chromium's headless shell, which needs about half of the CPU time of the
 * whole browser. If CHROMIUM_PATH is set, or no shell is installed, returns the path of the whole
 * browser; undefined: Playwright's own.
 */
export const findHeadlessChromium = (): string | undefined =>
  !process.env.CHROMIUM_PATH && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : findChromium();

/**
 * Returns the launch options of a whole Chromium with the back-forward cache, as visitors have it.
 * Playwright disables that cache by default, and the headless shell lacks it.
 */
export function withBackForwardCache(options: LaunchOptions): LaunchOptions {
  const path = findChromium();
  return {
    ...options,
    ...(path ? { env: { ...process.env, CHROMIUM: path } } : { channel: 'chromium' }),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  };
}
