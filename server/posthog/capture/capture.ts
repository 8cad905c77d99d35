/**
 * The client for PostHog's ingestion: its arguments and results. `createCapture` makes one. It speaks Capture V1, which gives a
 * verdict for each event, and `/batch/` where a server has no V1.
 */
import type { Receipt, Verdict } from '../receipts.ts';

/** An event with PostHog's names of properties, such as `$session_id`. */
export interface CaptureEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  /** ISO 8601, UTC. PostHog stores it as it is, without a correction of the clock. */
  timestamp: string;
  properties: Record<string, unknown>;
}

/** PostHog's answer about one event. */
export interface Outcome {
  uuid: string;
  event: string;
  verdict: Verdict;
  /** PostHog's tag, such as `not_persisted`, or ours, such as `timeout`; null: none. */
  detail: string | null;
  protocol: Receipt['protocol'];
  /** Requests of this `send` that carried the event. 0: it was not sent, because an earlier part of the batch failed. */
  attempts: number;
}

/** A fault that concerns the whole batch. All events without a final verdict are `retry`. */
export interface Trouble {
  /**
   * - `away`: no answer, or an error that passes. Send again later.
   * - `over_quota`: the project's quota is used up. Keep the events for another day.
   * - `refused`: PostHog refuses every such request. An operator must change a setting.
   * - `unreadable`: the answer is not PostHog's. Send again later.
   */
  kind: 'away' | 'over_quota' | 'refused' | 'unreadable';
  /** PostHog's tag, such as `billing_limit_exceeded`, or ours, such as `http_503`. */
  detail: string;
  /** One sentence for the log. It contains nothing from the answer except PostHog's tag. */
  message: string;
}

export interface SendResult {
  /** One for each event, in the order of the events. */
  outcomes: Outcome[];
  /** Milliseconds until PostHog wants the next request, from 0 to 30,000; null: the answer names no time. */
  retryAfterMs: number | null;
  /** null: PostHog answered, perhaps with `retry` for some of the events. */
  trouble: Trouble | null;
}

export interface SendOptions {
  /** Marks the whole batch as a historical migration. Only for batches whose events are all older than 48 hours. */
  historical?: boolean;
  /** Requests for one batch, with a pause before each repetition. Default: 1. */
  maxAttempts?: number;
  /** The browser of all these events, for the request's header. Default: the client's own name. */
  userAgent?: string;
}

export interface Capture {
  /**
   * Sends the events in one request, if PostHog does not refuse it as too large. Never rejects because of PostHog.
   *
   * @param events at most 500. Without an event it makes no request
   */
  send(events: readonly CaptureEvent[], options?: SendOptions): Promise<SendResult>;
}
