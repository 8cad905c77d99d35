import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findChromium } from '../../../tools/find-chromium.ts';

/** Whether there is the system's Chromium, or Playwright's own. */
export const hasChromium = (): boolean => existsSync(findChromium() ?? chromium.executablePath());
