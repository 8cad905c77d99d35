/** Tests that need PostgreSQL, Redis and nginx: real ones, each started by the test that uses it. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['tests/cluster/**/*.test.ts'],
    allowOnly: false,
    // They kill servers under load: on a busy machine one after the other.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
