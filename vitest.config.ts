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
    restoreMocks: true,
    // A busy machine may need it; what is there is found at once.
    expect: { poll: { timeout: 10_000 } },
  },
});
