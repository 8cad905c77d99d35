import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { loadSite } from './build/load-site.ts';
import { siteConfigPlugin } from './build/site-config-plugin.ts';

export default defineConfig({
  define: { API_ORIGIN: '""' },
  plugins: [siteConfigPlugin(loadSite('test'))],
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: ['tests/e2e/**', 'tests/faults/**', 'tests/cluster/**'],
    allowOnly: false,
    // Many wait for processes that they have started; by default, two processors would run one file at a time.
    maxWorkers: Math.max(3, availableParallelism()),
    restoreMocks: true,
    // A busy machine may need them; what is there is found at once.
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
