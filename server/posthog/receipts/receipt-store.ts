/**
 * Interface of the database for receipts, and for what the server still has to send to PostHog. Several servers may share one
 * database. Every method rejects while the database is away.
 */
import type { LedgerPosition } from '../../clicks/ledger/ledger.ts';
import type { CaptureEvent } from '../capture/capture.ts';
import type { Channel, Receipt } from '../receipts.ts';

/** An event that PostHog did not take yet. */
export interface WaitingEvent {
  channel: Channel;
  event: CaptureEvent;
  /** Failed attempts since it waits. */
  attempts: number;
}

export interface WaitingSize {
  events: number;
  /** Of the events as JSON. */
  bytes: number;
}

/** The limits of `forget`. */
export interface Forgettable {
  /** Receipts of the ledger's clicks before this time. */
  before: Date;
  /** Other receipts before this time. */
  othersBefore: Date;
  /** Number of other receipts to keep, the newest. */
  maxOthers: number;
  /** Upper bound of rows to delete in this call. */
  limit: number;
}

export interface ReceiptStore {
  /**
   * Adds receipts, and ends the claims of their events. For a known event, attempts add up, the first channel stays, and the
   * verdict that proves more stays: `ok`, `warning`, `accepted`, `drop`, `retry`, in this order.
   */
  record(receipts: readonly Receipt[]): Promise<void>;
  /** Returns the receipts by UUID, in lower case. */
  find(uuids: readonly string[]): Promise<Map<string, Receipt>>;
  /** Notes that these events are clicks of the ledger, so that no flood of other events displaces their receipts. */
  markInLedger(uuids: readonly string[]): Promise<void>;
  /**
   * Reserves events for one sender.
   *
   * @param owner name of the server, for `abandon`. It gives its own events to one sender too
   * @param forMs milliseconds after which the reservation ends by itself
   * @returns those that the caller may send: they have no final receipt, and are not reserved
   */
  claim(uuids: readonly string[], by: { owner: string; forMs: number }): Promise<Set<string>>;
  /** Ends reservations. */
  release(uuids: readonly string[]): Promise<void>;
  /** Ends all reservations of a server, after its restart. */
  abandon(owner: string): Promise<void>;
  /** Keeps events until PostHog takes them. A known event stays as it is. */
  keep(events: readonly WaitingEvent[], dueAt: Date): Promise<void>;
  /** Returns the waiting events that are due, the longest due first. */
  dueEvents(now: Date, limit: number): Promise<WaitingEvent[]>;
  /** Adds an attempt. */
  postpone(uuids: readonly string[], dueAt: Date): Promise<void>;
  /** Removes waiting events. */
  discard(uuids: readonly string[]): Promise<void>;
  /** Removes the waiting events of these visits. @returns their number */
  discardVisits(visits: readonly string[]): Promise<number>;
  /** Removes waiting events that were kept before that time. @returns their number */
  expireWaiting(before: Date): Promise<number>;
  waitingSize(): Promise<WaitingSize>;
  /** Every click of the ledger before this place has been dealt with; null: the store does not know the ledger. */
  position(ledger: string): Promise<LedgerPosition | null>;
  setPosition(ledger: string, position: LedgerPosition): Promise<void>;
  /**
   * Removes what is known of these clicks, also if they wait. Leaves a final receipt for each (`forgottenReceipt`), so that no
   * sender sends the click again.
   */
  forgetClicks(uuids: readonly string[], at: Date): Promise<void>;
  /** Deletes old receipts. @returns the number of deleted rows; below `limit`: nothing is left to delete */
  forget(what: Forgettable): Promise<number>;
  close(): Promise<void>;
}

/** Verdicts, the one that proves least first. No name is a part of another one. */
export const VERDICT_ORDER = 'retry drop accepted warning ok';

/** The receipt of a click that `clicks forget` removed. Its event has another name, so that no count includes it. */
export const forgottenReceipt = (uuid: string, at: Date): Receipt => ({
  uuid,
  event: 'forgotten',
  channel: 'ledger',
  protocol: 'batch',
  verdict: 'drop',
  detail: FORGOTTEN,
  attempts: 0,
  at: at.toISOString(),
});
export const FORGOTTEN = 'forgotten';

/** Joins receipts of the same event, because a statement can change each row once. */
export function mergeReceipts(receipts: readonly Receipt[]): Receipt[] {
  const merged = new Map<string, Receipt>();
  for (const receipt of receipts) {
    const key = receipt.uuid.toLowerCase();
    const known = merged.get(key);
    merged.set(key, known ? merge(known, receipt) : receipt);
  }
  return [...merged.values()];
}

function merge(known: Receipt, next: Receipt): Receipt {
  const provesMore = VERDICT_ORDER.indexOf(next.verdict) >= VERDICT_ORDER.indexOf(known.verdict);
  const { event, channel } = known;
  const attempts = known.attempts + next.attempts;
  return { ...(provesMore ? next : known), event, channel, attempts };
}
