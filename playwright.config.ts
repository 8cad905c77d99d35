import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/build-sites.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  forbidOnly: true,
  workers: 2,
  retries: 0,
  reporter: process.env.CI ? 'dot' : 'list',
  use: { trace: 'retain-on-failure' },
});
