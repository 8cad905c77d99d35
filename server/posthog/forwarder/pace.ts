/** The forwarder's sizes and waits. Times are in milliseconds. */
import type { Trouble } from '../capture/capture.ts';

export const PACE = {
  /** The browser's time to send a click's event itself, counted from the click's reception. */
  ageMs: 60_000,
  /** Interval of the search for clicks and events that have become due. */
  pollMs: 5_000,
  /** Events in one request. More would hold up the clicks of visitors. */
  batch: 100,
  /** Events in a request while PostHog has a fault. */
  probe: 10,
  /**
   * Rest after each part of the ledger: that many times the time that the part took, within the bounds. So clicks do not wait
   * for a server that catches up, however busy its machine is.
   */
  restShare: 4,
  shortestRestMs: 10,
  longestRestMs: 500,
  /** The first pause after a failure. It doubles with every further one. */
  firstPauseMs: 1_000,
  /** So that PostHog has every click two minutes after the end of a fault. */
  longestPauseMs: 90_000,
  /** Pause while the project is over its quota, or PostHog refuses every request. Each costs PostHog one small request. */
  quotaPauseMs: 90_000,
  /** First and longest delay of a single event that PostHog asks for again. */
  firstDelayMs: 30_000,
  longestDelayMs: 6 * 60 * 60_000,
  /** Failures after which the first events no longer hold up the next ones, because one of them may be the cause. */
  failuresBeforeAside: 4,
  /** Longer than any request to PostHog takes. */
  claimMs: 60_000,
  /** PostHog asks for the mark `historical_migration` from this age of an event on. */
  historicalMs: 48 * 60 * 60_000,
  /** Time for the request under way when the server stops. */
  lastRequestMs: 500,
};

export type Pace = typeof PACE;

/**
 * Returns the pause after a failure: the upper half of a doubling limit at random, and no less than PostHog asks for.
 *
 * @param failures in a row, from 1
 * @param random from 0 to 1
 */
export function pauseAfter(
  { kind }: Trouble,
  failures: number,
  retryAfterMs: number | null,
  pace: Pace,
  random: number,
): number {
  const isLong = kind === 'over_quota' || kind === 'refused';
  const limit = isLong
    ? pace.quotaPauseMs
    : Math.min(pace.firstPauseMs * 2 ** (failures - 1), pace.longestPauseMs);
  return Math.max(jitter(limit, random), retryAfterMs ?? 0);
}

/**
 * Returns the delay before an event is sent again. If PostHog itself has a fault, it is no longer than the pause between two
 * requests.
 *
 * @param attempts failed ones, from 1
 */
export function delayAfter(
  attempts: number,
  trouble: Trouble | null,
  pace: Pace,
  random: number,
): number {
  const longest = trouble ? pace.longestPauseMs : pace.longestDelayMs;
  return jitter(Math.min(pace.firstDelayMs * 2 ** (attempts - 1), longest), random);
}

const jitter = (limit: number, random: number) => limit * (0.5 + random / 2);
