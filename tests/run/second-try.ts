/**
 * On CI a failed test runs once more, because a machine with other work sometimes stalls for longer than a product's own time limit.
 * The summary names each test that passed at its second try.
 */
import type { Reporter } from 'vitest/node';

const reporter: Reporter = {
  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) {
      process.stderr.write(`RETRIED: ${test.module.relativeModuleId} > ${test.fullName}\n`);
    }
  },
};

/** A part of the settings of each suite that vitest runs. */
export const secondTry = {
  retry: process.env.CI ? 1 : 0,
  reporters: ['default' as const, reporter],
};
