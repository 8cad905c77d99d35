/** The fault tests kill real processes, fill disks and remove files. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['tests/faults/**/*.test.ts'],
    allowOnly: false,
    // These tests mostly wait for time limits and ending processes, and need little CPU.
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The default is 1 s, which a busy machine exceeds.
    expect: { poll: { timeout: 60_000 } },
  },
});
