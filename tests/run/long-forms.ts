/**
 * The long forms: what `npm test` leaves to `npm run test:all`. `npm test` sets TESTS=short. Without it, as with
 * `npx vitest run FILE`, every form runs.
 */

/** Whether this process belongs to `npm test`. */
export const IS_SHORT = process.env.TESTS === 'short';

/** Files of unit tests that run in the long form only: they test programs for developers, or repeat a promise at length. */
const LONG_UNIT_FILES = [
  // Programs that measure. No visitor, analyst or operator runs them.
  'tests/bench/**',
];

/** Files of cluster tests that run in the long form only. */
const LONG_CLUSTER_FILES = [
  // tests/server/event-loop-time.test.ts sends the same requests without nginx.
  'tests/cluster/nginx-event-loop.test.ts',
  // It builds and starts two releases.
  'tests/cluster/upgrade.test.ts',
];

export const leftOutOfUnit = IS_SHORT ? LONG_UNIT_FILES : [];
export const leftOutOfCluster = IS_SHORT ? LONG_CLUSTER_FILES : [];

/**
 * Returns the items at the even places for the first group, at the odd places for the second group, and so on: each item
 * once. In the long form, each group gets every item.
 */
export const shareOf = <T>(items: readonly T[], group: number, groups: number): T[] =>
  IS_SHORT ? items.filter((_, i) => i % groups === group) : [...items];
