import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SITE_FILE } from '#site.config.ts';
import { siteConfigPlugin } from './build/site-config-plugin.ts';

export default defineConfig({
  plugins: [siteConfigPlugin(SITE_FILE)],
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: ['tests/faults/**'],
    // The global setup builds the site, which tests/build and tests/pages read, and starts
    // PostgreSQL.
    globalSetup: 'tests/helpers/run/vitest-setup.ts',
    allowOnly: false,
    // Threads start faster than processes.
    pool: 'threads',
    // By default, two processors would run one file at a time. More files than processors slow each
    // other and the browser tests, as playwright.config.ts says.
    maxWorkers: availableParallelism(),
    restoreMocks: true,
    setupFiles: 'tests/helpers/run/real-timers.ts',
    // Generous timeouts for a busy machine. A wait ends as soon as its event has happened.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
