/** The result of one request, in the same form for both protocols. */
import type { Verdict } from '../receipts.ts';
import type { CaptureEvent, Trouble } from './capture.ts';

export interface Judgement {
  verdict: Verdict;
  detail: string | null;
}

/** Upper bound for a wait that PostHog asks for. PostHog's own clients use the same one. */
export const MAX_RETRY_AFTER_MS = 30_000;

export interface Round {
  /** PostHog's answer about an event. */
  judge(event: CaptureEvent): Judgement;
  retryAfterMs: number | null;
  trouble: Trouble | null;
  /**
   * - `not_served`: the path does not exist there.
   * - `split`: one of the events may be at fault, or there are too many.
   */
  hint: 'not_served' | 'split' | null;
}

/** A request that failed as a whole. */
export function failedRound(
  trouble: Trouble,
  retryAfterMs: number | null = null,
  hint: Round['hint'] = null,
): Round {
  return {
    judge: () => ({ verdict: 'retry', detail: trouble.detail }),
    retryAfterMs,
    trouble,
    hint,
  };
}

/** A request with a single event, which PostHog refuses for good. */
export const refusedEvent = (detail: string): Round => ({
  judge: () => ({ verdict: 'drop', detail }),
  retryAfterMs: null,
  trouble: null,
  hint: null,
});

/** PostHog compares UUIDs by their value: it writes them in lower case with hyphens. */
export const uuidKey = (uuid: string): string => uuid.trim().toLowerCase().replaceAll('-', '');
