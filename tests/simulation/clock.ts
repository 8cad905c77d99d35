/**
 * Virtual time: replaces the clock, the timers and the random source of this process, so that weeks
 * pass in a second and each run of a seed is the same. Import this module before every module of
 * the product.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { newId } from '#browser/clicks/uuid-v7.ts';
import { random } from './random.ts';

const RealDate = Date;
const waitForLoop = () => new Promise<void>((resolve) => setRealImmediate(resolve));
const setRealImmediate = setImmediate;

interface Timer {
  at: number;
  /** Timers of one moment run in the order in which they were set. */
  order: number;
  /** Milliseconds between two runs; null: the timer runs once. */
  every: number | null;
  run(): void;
  isGone: boolean;
}

let now = RealDate.UTC(2026, 0, 31);
/** Total time, in milliseconds, that `leap` has skipped without running timers. */
let slept = 0;
let lastOrder = 0;
let timers: Timer[] = [];

/**
 * Rounds a duration to whole milliseconds, at least one, as Node does. SQLite's STRICT tables
 * reject fractional times.
 */
const whole = (ms: number) => Math.max(1, Math.trunc(ms || 1));

function addTimer(run: () => void, ms: number, every: number | null) {
  lastOrder += 1;
  const timer: Timer = { at: now + whole(ms), order: lastOrder, every, run, isGone: false };
  timers.push(timer);
  const handle = {
    timer,
    ref: () => handle,
    unref: () => handle,
    hasRef: () => true,
    refresh() {
      timer.at = now + whole(ms);
      return handle;
    },
    close() {
      timer.isGone = true;
      return handle;
    },
    [Symbol.toPrimitive]: () => timer.order,
    [Symbol.dispose]() {
      timer.isGone = true;
    },
  };
  return handle;
}

function clearTimer(handle: unknown): void {
  if (handle && typeof handle === 'object' && 'timer' in handle)
    (handle.timer as Timer).isGone = true;
}

class VirtualDate extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(now);
    else super(...(args as [number]));
  }
  static override now = () => now;
}

type Run = (...args: unknown[]) => void;
Object.assign(globalThis, {
  setTimeout: (run: Run, ms = 0, ...args: unknown[]) => addTimer(() => run(...args), ms, null),
  setInterval: (run: Run, ms = 0, ...args: unknown[]) => addTimer(() => run(...args), ms, ms),
  clearTimeout: clearTimer,
  clearInterval: clearTimer,
  Date: VirtualDate,
});
performance.now = () => now;
Math.random = () => random.next();
AbortSignal.timeout = (ms) => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(new DOMException('The time is over', 'TimeoutError')), ms);
  return abort.signal;
};

/**
 * Replaces `setTimeout` of node:timers/promises. It removes its listener from the signal, which may
 * live for a simulated week.
 */
const wait = (ms: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(handle);
      reject(signal?.reason);
    };
    const handle = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve(value);
    }, ms);
    signal?.addEventListener('abort', onAbort);
  });

const require = createRequire(import.meta.url);
require('node:timers/promises').setTimeout = wait;
require('node:crypto').randomUUIDv7 = () => newId(now, random.bytes(16));
require('node:crypto').randomUUID = random.uuid;
syncBuiltinESMExports();

/** Number of calls of Web Crypto under way. They run in real threads, outside of virtual time. */
let encrypting = 0;

for (const name of ['importKey', 'encrypt', 'decrypt'] as const) {
  const work = crypto.subtle[name] as (...args: unknown[]) => Promise<unknown>;
  const count = (...args: unknown[]) => {
    encrypting += 1;
    return work.apply(crypto.subtle, args).finally(() => {
      encrypting -= 1;
    });
  };
  Object.defineProperty(crypto.subtle, name, { value: count });
}

/**
 * Lets the event loop run everything that is ready, without letting virtual time pass. Also waits
 * for Web Crypto, so that each run of a seed is the same on a fast and on a slow machine.
 */
export async function settle(rounds = 12): Promise<void> {
  for (let i = 0; i < rounds; i += 1)
    do await waitForLoop();
    while (encrypting > 0);
}

function nextTimer(end: number): Timer | undefined {
  timers = timers.filter(({ isGone }) => !isGone);
  let next: Timer | undefined;
  for (const timer of timers) {
    if (timer.at > end) continue;
    if (!next || timer.at < next.at || (timer.at === next.at && timer.order < next.order))
      next = timer;
  }
  return next;
}

/** In one call of `advance`, an interval's callback runs at most about so many times. */
const MOST_RUNS = 12;

/** Lets virtual time pass. Each timer runs when it is due. @param ms milliseconds */
export async function advance(ms: number): Promise<void> {
  const end = now + ms;
  await settle();
  for (let next = nextTimer(end); next; next = nextTimer(end)) {
    now = Math.max(now, next.at);
    if (next.every === null) next.isGone = true;
    else next.at = now + whole(Math.max(next.every, ms / MOST_RUNS));
    next.run();
    await settle(4);
  }
  now = end;
  await settle();
}

/**
 * Lets a long virtual time pass in a few strides, as on a machine that sleeps during each stride:
 * timers that become due in a stride run at its end.
 *
 * @param strides number of strides
 * @param onStride called after each stride
 */
export async function leap(ms: number, strides: number, onStride: () => void): Promise<void> {
  for (let i = 0; i < strides; i += 1) {
    now += whole(ms / strides);
    slept += whole(ms / strides);
    await advance(1);
    onStride();
  }
}

/** Sets the clock for the start of a run, and removes the timers of the run before. */
export function resetClock(at: number): void {
  timers = [];
  slept = 0;
  now = at;
}

/** Returns the virtual time, in milliseconds since 1970. */
export const time = (): number => now;

/** Returns the virtual time without what `leap` has skipped. */
export const awakeTime = (): number => now - slept;
