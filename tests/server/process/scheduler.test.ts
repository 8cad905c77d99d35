/** Rests, pauses after failures, and the stop of background jobs, by a clock of the test. */
import { describe, expect, test, vi } from 'vitest';
import { type Job, startJobs, type Timing } from '../../../server/process/scheduler.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../server/time.ts';

const LOCKS = { tryLock: async () => true };

const nextTurn = () => new Promise((resume) => setImmediate(resume));

/** Records each rest, and ends it in the next turn of the event loop. */
function makeTiming(random = 1): Timing & { rests: number[] } {
  const rests: number[] = [];
  const wait = (ms: number) => {
    rests.push(ms);
    return nextTurn();
  };
  return { rests, random: () => random, wait };
}

const makeJob = (parts: Partial<Job>): Job => ({
  name: 'test',
  everyMs: SECOND_MS,
  longestPauseMs: MINUTE_MS,
  onePerDatabase: false,
  run: async () => false,
  ...parts,
});

/** Runs the job so many times, then stops. @returns the rests between the runs */
async function runTimes(times: number, job: Partial<Job>, timing = makeTiming()) {
  const { promise: done, resolve } = Promise.withResolvers<number[]>();
  let runs = 0;
  const run = async (signal: AbortSignal) => {
    runs += 1;
    if (runs === times) resolve([...timing.rests]);
    return job.run?.(signal) ?? false;
  };
  const jobs = startJobs([makeJob({ ...job, run })], LOCKS, timing);
  const rests = await done;
  await jobs.stop();
  return rests;
}

const fail =
  (message = 'away', retryAfterMs?: number) =>
  async () => {
    throw Object.assign(new Error(message), { retryAfterMs });
  };
/** A run whose outcomes the test lists. After them, each run succeeds. */
const playOutcomes = (outcomes: (() => Promise<boolean>)[]) => () =>
  (outcomes.shift() ?? (async () => false))();

describe('the rest', () => {
  test('follows a run without more work, and no run with more', async () => {
    const left = [true, true, false];
    const run = async () => left.shift() ?? false;
    expect(await runTimes(4, { run })).toEqual([SECOND_MS]);
  });

  test('doubles with each failure, up to its bound, and is short again after a success', async () => {
    const outcomes = Array.from({ length: 8 }, () => fail());
    const rests = await runTimes(11, {
      run: playOutcomes([...outcomes, async () => false, fail()]),
    });
    const doubled = [1, 2, 4, 8, 16, 32, 60, 60].map((s) => s * SECOND_MS);
    expect(rests).toEqual([...doubled, SECOND_MS, SECOND_MS]);
  });

  test('after a failure differs between servers, and is no shorter than after a success', async () => {
    const rests = await runTimes(4, { run: fail() }, makeTiming(0));
    expect(rests).toEqual([1, 1, 2].map((s) => s * SECOND_MS));
    const hourly = { everyMs: HOUR_MS, longestPauseMs: HOUR_MS, run: fail() };
    expect(await runTimes(3, hourly, makeTiming(0))).toEqual([HOUR_MS, HOUR_MS]);
  });

  test('is as long as an outside service asks for, if that is longer', async () => {
    const run = playOutcomes([fail('away', 5000), fail('away', 500), fail('away', 90_000)]);
    expect(await runTimes(4, { run })).toEqual([5000, 2000, 90_000]);
  });
});

test('a failure is told each time, with whether it is new, and its end once', async () => {
  const onFailure = vi.fn();
  const onRecovery = vi.fn();
  const success = async () => false;
  const run = playOutcomes([fail(), fail(), fail('full'), success, success, fail('full')]);
  await runTimes(8, { run, onFailure, onRecovery });
  const told = onFailure.mock.calls.map(([{ message }, isNew]) => [message, isNew]);
  expect(told).toEqual([
    ['away', true],
    ['away', false],
    ['full', true],
    ['full', true],
  ]);
  expect(onRecovery).toHaveBeenCalledTimes(2);
});

test('faultOf names the reason of a job’s last failure, until it succeeds', async () => {
  const seen: (string | null)[] = [];
  const outcomes = [fail(), fail('full'), async () => false];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const run = async () => {
    // `jobs` is there after the start.
    await null;
    seen.push(jobs.faultOf('test'));
    const next = outcomes.shift();
    if (next) return next();
    resolve();
    return false;
  };
  const other = makeJob({ name: 'other' });
  const jobs = startJobs([makeJob({ run }), other], LOCKS, makeTiming());
  await done;
  await jobs.stop();
  expect(seen).toEqual([null, 'away', 'full', null]);
  expect(jobs.faultOf('other')).toBeNull();
});

describe('a job that one server does for all', () => {
  /** Starts the job on a server that never gets the lock, until it has asked twice. */
  async function startWithout(job: Partial<Job>) {
    const asked: string[] = [];
    const { promise: askedTwice, resolve } = Promise.withResolvers<void>();
    const locks = {
      async tryLock(name: string) {
        if (asked.push(name) === 2) resolve();
        return false;
      },
    };
    const timing = makeTiming();
    const jobs = startJobs([makeJob({ onePerDatabase: true, ...job })], locks, timing);
    await askedTwice;
    await jobs.stop();
    return { asked, rests: timing.rests };
  }

  test('does not run without the lock of its name', async () => {
    const run = vi.fn(async () => false);
    const { asked, rests } = await startWithout({ run });
    expect(run).not.toHaveBeenCalled();
    expect(asked.slice(0, 2)).toEqual(['test', 'test']);
    expect(rests[0]).toBe(SECOND_MS);
  });

  test('still stores what its last run could not', async () => {
    const finishLast = vi.fn(async () => {});
    await startWithout({ finishLast });
    expect(finishLast).toHaveBeenCalled();
  });
});

describe('stop', () => {
  test('waits for the run under way, which is not aborted, and begins no other', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const run = vi.fn((_: AbortSignal) => promise);
    // A stopping server waits longer than this run takes.
    const timing = { random: () => 1, wait: () => new Promise<never>(() => {}) };
    const jobs = startJobs([makeJob({ run })], LOCKS, timing);
    await vi.waitFor(() => expect(run).toHaveBeenCalled());
    const stopped = jobs.stop().then(() => 'stopped');
    expect(await Promise.race([stopped, Promise.resolve('waits')])).toBe('waits');
    expect(run.mock.calls[0]?.[0].aborted).toBe(false);
    resolve(true);
    expect(await stopped).toBe('stopped');
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('aborts a run after half a second, and tells no failure of it', async () => {
    const onFailure = vi.fn();
    const run = (signal: AbortSignal) =>
      new Promise<boolean>((_, reject) => {
        signal.onabort = () => reject(new Error('aborted'));
      });
    const timing = makeTiming();
    const jobs = startJobs([makeJob({ run, onFailure })], LOCKS, timing);
    await jobs.stop();
    // The run hears of its end after `stop`.
    await nextTurn();
    expect(timing.rests[0]).toBe(500);
    expect(onFailure).not.toHaveBeenCalled();
    expect(jobs.faultOf('test')).toBeNull();
  });

  test('ends a rest', async () => {
    // Only the end of the signal ends a rest.
    const wait = (_: number, signal: AbortSignal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    const run = vi.fn(async () => false);
    const jobs = startJobs([makeJob({ run })], LOCKS, { wait, random: () => 1 });
    await vi.waitFor(() => expect(run).toHaveBeenCalled());
    await jobs.stop();
    expect(run).toHaveBeenCalledTimes(1);
  });
});
