/**
 * All counts of a server, as plain numbers that the observers change. Every name that a client can choose is replaced by one of a
 * short list, so the number of time series has an upper bound.
 */
import { CTA_EVENTS } from '#contract/cta.ts';
import type { Via } from '../clicks/click-line.ts';
import type { ClickOutcome } from '../clicks/record-clicks.ts';
import type { Channel, Verdict } from '../posthog/receipts.ts';
import { BucketTally, DURATIONS_S, GROUP_SIZES } from './bucket-tally.ts';

export interface RouteTally {
  seconds: BucketTally;
  /** Answers by status. */
  answers: Map<number, number>;
}

type EventTally = Record<Via, Record<ClickOutcome, number>>;

export type Tallies = ReturnType<typeof createTallies>;

/** The name in place of an event or a path that the server does not know. */
export const UNKNOWN = 'unknown';
export const OTHER = 'other';

/** Reasons for which the server rejects a body for good; any other one counts as `other`. */
export const REJECTION_REASONS = [
  ...['validation_failed', 'id_ahead', 'malformed_json', 'too_large', 'unsupported_media_type'],
  ...['bad_request', 'torn_line'],
];

const CHANNELS: Channel[] = ['browser', 'ledger'];
const VERDICTS: Verdict[] = ['ok', 'warning', 'drop', 'retry', 'accepted'];
/** All of them from the start, because Prometheus does not see a counter's step from missing to one. */
const VERDICTS_OF_CHANNELS = CHANNELS.flatMap((channel) => VERDICTS.map((v) => `${channel} ${v}`));

export function createTallies() {
  return {
    /** By method and pattern, such as `POST /api/log-cta`. */
    routes: new Map<string, RouteTally>(),
    clicks: new Map<string, EventTally>([...CTA_EVENTS, UNKNOWN].map((e) => [e, eventTally()])),
    rejected: new Map<string, number>([...REJECTION_REASONS, OTHER].map((r) => [r, 0])),
    /** Clicks that browsers had to drop from a full outbox, as they report it. */
    droppedByBrowsers: 0,
    groupSize: new BucketTally(GROUP_SIZES),
    ledgerWrite: new BucketTally(DURATIONS_S),
    ledgerSync: new BucketTally(DURATIONS_S),
    indexCommit: new BucketTally(DURATIONS_S),
    /** By channel and verdict, separated by a space. */
    receipts: new Map<string, number>(VERDICTS_OF_CHANNELS.map((key) => [key, 0])),
  };
}

export const routeTally = (): RouteTally => ({
  seconds: new BucketTally(DURATIONS_S),
  answers: new Map(),
});

const eventTally = (): EventTally => ({ fetch: outcomes(), beacon: outcomes(), ping: outcomes() });
const outcomes = () => ({ logged: 0, duplicate: 0, failed: 0 });

export function addTo<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
