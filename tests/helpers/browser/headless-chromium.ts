import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';
import { findChromium } from '../../../tools/find-chromium.ts';

const SHELL = '/usr/bin/chromium-headless-shell';

/**
 * The path of the browser without windows, which costs a test about half of the whole browser's time; undefined:
 * Playwright's own. CHROMIUM_PATH and a machine without the shell lead to the whole browser.
 */
export const findHeadlessChromium = (): string | undefined =>
  !process.env.CHROMIUM_PATH && existsSync(SHELL) ? SHELL : findChromium();

/** The same options for the whole browser. The shell reads no preferences from its profile. */
export function withWholeChromium(options: LaunchOptions): LaunchOptions {
  const path = findChromium();
  return path
    ? { ...options, env: { ...process.env, CHROMIUM: path } }
    : { ...options, channel: 'chromium' };
}
