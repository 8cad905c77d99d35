/** Sorts a click of the ledger by what became of it at PostHog. */
import type { LeftOut } from '../from-ledger.ts';
import type { Receipt } from '../receipts.ts';

/**
 * - `delivered`: PostHog has it.
 * - `waiting`: the server goes on sending it, or PostHog does not show it yet.
 * - `dropped`: PostHog refused it for good.
 * - `unknown`: no record explains why PostHog lacks it.
 */
export type Fate = LeftOut | 'delivered' | 'waiting' | 'dropped' | 'unknown';

export interface Sorted {
  fate: Fate;
  /** PostHog's tag, or ours; null: the fate says it all. */
  reason: string | null;
}

export interface Facts {
  /** Milliseconds since 1970. */
  received: number;
  /** The click's own time. */
  timestamp: number;
  receipt: Receipt | undefined;
  /** Does PostHog's own list name it? null: there is no list. */
  isAtPosthog: boolean | null;
}

export interface Limits {
  now: number;
  /** Age up to which the server sends a click by itself. */
  retentionMs: number;
  /** PostHog hides events before this time; null: none. */
  posthogFrom: number | null;
}

/** PostHog shows an event some minutes after it has taken it. */
const SETTLED_MS = 15 * 60 * 1000;
const OVER_QUOTA = 'billing_limit_exceeded';

export function sortClick(facts: Facts, { now, retentionMs, posthogFrom }: Limits): Sorted {
  const { receipt, isAtPosthog, received, timestamp } = facts;
  if (isAtPosthog) return { fate: 'delivered', reason: null };
  const { verdict = 'retry', detail = null } = receipt ?? {};
  if (verdict === 'drop') return { fate: 'dropped', reason: detail ?? 'no_reason_given' };
  if (detail === 'quota_limited') return { fate: 'dropped', reason: OVER_QUOTA };
  if (verdict === 'retry') {
    if (now - received < retentionMs) return { fate: 'waiting', reason: detail };
    return { fate: 'unknown', reason: 'no_receipt' };
  }
  if (isAtPosthog === null) return { fate: 'delivered', reason: null };
  if (posthogFrom !== null && timestamp < posthogFrom) {
    return { fate: 'dropped', reason: 'older_than_posthog_keeps' };
  }
  const isFresh = receipt !== undefined && now - Date.parse(receipt.at) < SETTLED_MS;
  if (isFresh) return { fate: 'waiting', reason: 'not_shown_yet' };
  return { fate: 'unknown', reason: `${verdict}_but_not_shown` };
}
