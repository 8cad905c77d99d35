/**
 * Recognises overload, and answers clicks and events with 503 meanwhile. Browsers keep them and send them again. That is better
 * than an answer after 5 s, because browsers have given up by then, and send the click again too.
 *
 * There are two signals: how long the oldest click has waited for the disk or the database, and how late the event loop runs a
 * timer. docs/decisions/024-overload.md has the measurements.
 */
import type { onRequestHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { unavailable } from '../http/http-error.ts';

/** Interval of the samples. */
const EVERY_MS = 100;
/** Requests are taken again below this share of a limit, so that a value around the limit does not switch to and fro. */
const END_FACTOR = 0.5;
/** The overload is over after this time without a refusal. It is longer than Retry-After, so browsers have come back. */
const CALM_MS = 10_000;
const RETRY_AFTER_S = 5;

export interface Overload {
  /** A hook for the routes of clicks and events: answers 503 with Retry-After while the server is overloaded. */
  refuseRequest: onRequestHookHandler;
  /** Returns a sentence from the first refused request of an overload to its end; null: there is none. */
  warning(): string | null;
  /** Number of requests that were refused since the start. */
  refused(): number;
  stop(): void;
}

interface Options {
  /** 0: this signal is off. */
  maxEventLoopDelayMs: number;
  /** 0: this signal is off. */
  maxClickWaitMs: number;
  /** Returns how long the oldest click has waited for its answer. */
  oldestWaitMs: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Monotonic milliseconds. */
  now?: () => number;
}

/** Logs once when it refuses the first request of an overload, and once when the overload is over. */
export function watchOverload(options: Options): Overload {
  const { log, now = () => performance.now() } = options;
  const findReason = makeReasonFinder(options, now());
  const isOn = options.maxEventLoopDelayMs > 0 || options.maxClickWaitMs > 0;
  /** Why requests are refused now; null: they are taken. */
  let reason: string | null = null;
  let current: { reason: string; beganAt: number; lastAt: number; refused: number } | null = null;
  let refused = 0;

  const sample = () => {
    reason = findReason(now());
    if (current === null || reason !== null || now() - current.lastAt < CALM_MS) return;
    const seconds = Math.ceil((current.lastAt - current.beganAt) / 1000);
    log.info(`The overload is over. ${current.refused} requests were refused in ${seconds} s.`);
    current = null;
  };
  const count = (why: string) => {
    const at = now();
    refused += 1;
    if (current === null) log.warn(describe(why));
    current ??= { reason: why, beganAt: at, lastAt: at, refused: 0 };
    current.lastAt = at;
    current.refused += 1;
  };
  const timer = isOn ? setInterval(sample, EVERY_MS).unref() : undefined;

  return {
    refuseRequest(_request, _reply, done) {
      if (reason === null) return done();
      count(reason);
      done(OVERLOADED);
    },
    warning: () => current && describe(current.reason),
    refused: () => refused,
    stop: () => clearInterval(timer),
  };
}

/** One error for all refusals, because each new one would collect a stack. */
const OVERLOADED = unavailable('The server is overloaded. Send it again.', RETRY_AFTER_S);

/** Makes a function to call every EVERY_MS, which returns the reason of an overload or null. */
function makeReasonFinder(
  { maxEventLoopDelayMs, maxClickWaitMs, oldestWaitMs }: Options,
  startedAt: number,
) {
  const isClickLate = makeThreshold(maxClickWaitMs);
  const isLoopLate = makeThreshold(maxEventLoopDelayMs);
  let sampledAt = startedAt;
  let lastDelay = 0;
  return (at: number): string | null => {
    const wait = oldestWaitMs();
    const delay = at - sampledAt - EVERY_MS;
    // The shorter of two delays in a row, because after one block of the loop nothing is left to do but the waiting requests.
    const sustained = Math.min(delay, lastDelay);
    sampledAt = at;
    lastDelay = delay;
    const isBusy = isLoopLate(sustained);
    if (isClickLate(wait))
      return `the oldest click has waited ${Math.round(wait)} ms for the disk or the database (MAX_CLICK_WAIT_MS=${maxClickWaitMs})`;
    if (!isBusy) return null;
    return `the event loop runs ${Math.round(sustained)} ms late (MAX_EVENT_LOOP_DELAY_MS=${maxEventLoopDelayMs})`;
  };
}

/** Makes a function that returns true from above the limit until below END_FACTOR of it. @param limit 0: never */
function makeThreshold(limit: number): (value: number) => boolean {
  let isOver = false;
  return (value) => {
    isOver = limit > 0 && value > (isOver ? limit * END_FACTOR : limit);
    return isOver;
  };
}

const describe = (reason: string) =>
  `The server is overloaded: ${reason}. It answers clicks and events with 503, and browsers send them again.`;
