import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';
import { findChromium } from './find-chromium.ts';

const SHELL = '/usr/bin/chromium-headless-shell';

/**
 * The path of Chromium's headless shell, which takes about half of the whole browser's CPU time; undefined: Playwright's own.
 * With CHROMIUM_PATH, or without an installed shell, it is the whole browser.
 */
export const findHeadlessChromium = (): string | undefined =>
  !process.env.CHROMIUM_PATH && existsSync(SHELL) ? SHELL : findChromium();

/** The same options for the whole browser, because the shell ignores the preferences of a profile. */
export function withWholeChromium(options: LaunchOptions): LaunchOptions {
  const path = findChromium();
  return path
    ? { ...options, env: { ...process.env, CHROMIUM: path } }
    : { ...options, channel: 'chromium' };
}

/** A browser that keeps a page that was left, as visitors' browsers do. Playwright turns this off, and the shell cannot. */
export const withBackForwardCache = (options: LaunchOptions): LaunchOptions => ({
  ...withWholeChromium(options),
  ignoreDefaultArgs: ['--disable-back-forward-cache'],
});
