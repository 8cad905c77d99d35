import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SITE_FILE } from '#site.config.ts';
import { siteConfigPlugin } from './build/site-config-plugin.ts';

export default defineConfig({
  plugins: [siteConfigPlugin(SITE_FILE)],
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: ['tests/faults/**'],
    // tests/build measures the built site.
    globalSetup: 'tests/helpers/run/vitest-setup.ts',
    allowOnly: false,
    // A thread starts with less work than a process.
    pool: 'threads',
    // Many wait for processes that they have started; by default, two processors would run one file
    // at a time.
    maxWorkers: Math.max(5, availableParallelism()),
    restoreMocks: true,
    setupFiles: 'tests/helpers/run/real-timers.ts',
    // Upper bounds for a busy machine. A wait ends as soon as its event has happened.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
