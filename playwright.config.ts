import { availableParallelism } from 'node:os';
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
  // As many browsers as processors. `npm test` runs the server tests at the same time. On two
  // processors, four browsers beside five files of server tests took 364 s, two of each 280 s.
  workers: availableParallelism(),
  timeout: 180_000,
  expect: { timeout: 60_000 },
  retries: 0,
  reporter: process.env.CI ? 'dot' : 'list',
  // Traces are off, because they would lengthen the run by a third. To record the trace of a test:
  // npx playwright test --trace on …
});
