/** The Chromium of the tests: where it is, and how it starts. */
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

const SHELL = '/usr/bin/chromium-headless-shell';

/**
 * The path of Chromium's headless shell, which takes about half of the whole browser's CPU time;
 * undefined: Playwright's own. With CHROMIUM_PATH, or without an installed shell, it is the whole
 * browser.
 */
export const findHeadlessChromium = (): string | undefined =>
  !process.env.CHROMIUM_PATH && existsSync(SHELL) ? SHELL : findChromium();

/**
 * A whole browser that keeps a page that was left, as visitors' browsers do. Playwright turns this
 * off, and the shell cannot.
 */
export function withBackForwardCache(options: LaunchOptions): LaunchOptions {
  const path = findChromium();
  return {
    ...options,
    ...(path ? { env: { ...process.env, CHROMIUM: path } } : { channel: 'chromium' }),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  };
}
