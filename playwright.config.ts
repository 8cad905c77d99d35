import { defineConfig } from '@playwright/test';
import { hasChromium } from './tests/helpers/browser/chromium.ts';
import { reportSkipped } from './tests/helpers/run/find-programs.ts';

if (!hasChromium()) {
  reportSkipped('browser tests', 'Chromium is missing');
  process.exit();
}

export default defineConfig({
  testDir: 'tests/e2e',
  projects: [
    { name: 'chromium', testIgnore: 'engines.spec.ts' },
    { name: 'engines', testMatch: 'engines.spec.ts' },
  ],
  globalSetup: './tests/helpers/run/build-sites.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  // More than the processors, because the tests also wait. Server tests run at the same time.
  workers: 4,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  retries: 0,
  reporter: process.env.CI ? 'dot' : 'list',
  // A trace of every test would cost a third of the run. To look into one: npx playwright test
  // --trace on …
});
