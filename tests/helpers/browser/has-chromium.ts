import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findChromium } from './find-chromium.ts';

/** @returns whether the system's Chromium or Playwright's own is installed */
export const hasChromium = (): boolean => existsSync(findChromium() ?? chromium.executablePath());
