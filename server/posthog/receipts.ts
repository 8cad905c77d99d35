/** Receipts: for each event, what PostHog said of it. They decide which events the forwarder still has to send. */

/**
 * PostHog's verdict. Capture V1 gives one for each event. `/batch/` proves nothing, so its success is only `accepted`.
 * `retry` also means: no answer, or an unreadable one.
 */
export type Verdict = 'ok' | 'warning' | 'drop' | 'retry' | 'accepted';

/** The way by which the server got the event first. */
export type Channel = 'browser' | 'ledger';

export interface Receipt {
  /** UUID of the event. For `cta_click` it is the click's id. */
  uuid: string;
  /** PostHog's name of the event, such as `cta_click`. */
  event: string;
  channel: Channel;
  protocol: 'v1' | 'batch';
  verdict: Verdict;
  /** PostHog's tag, such as `billing_limit_exceeded`; null: none. */
  detail: string | null;
  /** Requests that carried the event so far. */
  attempts: number;
  /** ISO 8601, UTC: when the last answer came. */
  at: string;
}

/** Needs an event no further attempt? `drop` is final too: PostHog would refuse it again. */
export const isFinal = (verdict: Verdict): boolean => verdict !== 'retry';
