import { defineConfig } from '@playwright/test';
import { hasChromium } from './tests/helpers/browser/has-chromium.ts';
import { reportSkipped } from './tests/helpers/run/report-skipped.ts';

if (!hasChromium()) {
  reportSkipped('browser tests', 'Chromium is missing');
  process.exit();
}

export default defineConfig({
  testDir: 'tests/e2e',
  // engines/ is for node's own runner.
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/e2e/build-sites.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  forbidOnly: true,
  workers: 2,
  // Generous, for machines that do something else as well; a test never waits for longer than it needs.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // On a busy machine Chromium sometimes draws no frame for a minute. The summary names each test that ran again.
  retries: process.env.CI ? 2 : 1,
  reporter: process.env.CI ? 'dot' : 'list',
  // A trace of every test would cost a third of the run. To look into one: npx playwright test --trace on …
  use: { trace: process.env.CI ? 'on-first-retry' : 'off' },
});
