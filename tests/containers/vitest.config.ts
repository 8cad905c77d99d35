/** Tests that build the images and run deploy/docker/compose.yaml with them: `npm run test:containers`. */
import { defineConfig } from 'vitest/config';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { findEngine } from './engine.ts';

const canRun = findEngine() !== null;
if (!canRun)
  reportSkipped(
    'containers',
    'podman or Docker, and docker-compose, are missing, or you are not root',
  );

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: canRun ? ['tests/containers/**/*.test.ts'] : [],
    passWithNoTests: !canRun,
    allowOnly: false,
    // The first build of the images installs every package.
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
