/** Tests on a machine of their own, with systemd: `npm run test:machine`. */
import { defineConfig } from 'vitest/config';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { findObstacle } from './machine.ts';

const obstacle = findObstacle();
if (obstacle) reportSkipped('machine', obstacle);

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: obstacle ? [] : ['tests/machine/**/*.test.ts'],
    passWithNoTests: obstacle !== null,
    allowOnly: false,
    // It installs Debian and every package.
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
  },
});
