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

test('values between half of the limit and the limit change nothing', () => {
  const { sample } = start();
  const waits = [1500, 2001, 1500, 1001, 1000, 1500];
  expect(waits.map((wait) => sample(0, wait))).toEqual([false, true, true, true, false, false]);
});

test('one message when it begins and one when it ends, ten seconds after the last refusal', () => {
  const { sample, said, overload } = start();
  for (let n = 0; n < 20; n += 1) sample(0, n % 2 ? 3000 : 0);
  expect(said).toEqual([expect.stringContaining('the oldest click has waited 3000 ms')]);
  for (let n = 0; n < 99; n += 1) sample(0);
  expect(overload.warning()).toBe(said[0]);
  sample(0);
  expect(said.slice(1)).toEqual(['The overload is over. 10 requests were refused in 2 s.']);
  expect([overload.warning(), overload.refused()]).toEqual([null, 10]);
});

test('0 turns a signal off', () => {
  const { sample } = start({ maxEventLoopDelayMs: 0, maxClickWaitMs: 0 });
  expect([sample(9000, 9000), sample(9000, 9000)]).toEqual([false, false]);
});
