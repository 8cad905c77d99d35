/** When an overload begins and ends. tests/faults/overload.test.ts overloads the real server. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchOverload } from '../../../server/clicks/overload.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIMITS = { maxEventLoopDelayMs: 1000, maxClickWaitMs: 2000 };

function start(limits = LIMITS) {
  let time = 0;
  let wait = 0;
  const said: string[] = [];
  const log = {
    info: (msg: string) => void said.push(msg),
    warn: (msg: string) => void said.push(msg),
  };
  const overload = watchOverload({ ...limits, oldestWaitMs: () => wait, log, now: () => time });
  const isRefused = () => {
    let error: unknown;
    const hook = overload.refuseRequest as unknown as (...args: unknown[]) => void;
    hook(null, null, (given: unknown) => {
      error = given;
    });
    return error !== undefined;
  };
  return {
    overload,
    said,
    isRefused,
    /** Takes a sample: the loop runs it this late, and the oldest click has waited that long. */
    sample(delayMs: number, waitMs = 0) {
      time += 100 + delayMs;
      wait = waitMs;
      vi.advanceTimersByTime(100);
      return isRefused();
    },
  };
}

test('one block of the event loop refuses nothing, two in a row do', () => {
  const { sample } = start();
  expect([5000, 0, 5000, 0, 1001, 1001].map((delay) => sample(delay))).toEqual([
    ...[false, false, false, false, false],
    true,
  ]);
});
