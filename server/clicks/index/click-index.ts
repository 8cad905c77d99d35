/** The index of the ledger: the ids of all clicks, and their counts. It can always be rebuilt from the ledger. */
import type { LedgerPosition } from '../ledger/ledger.ts';

/** A click's fields in the index. */
export interface ClickRow {
  /** UUID. */
  id: string;
  event: string;
  /** UTC date of reception, `2026-01-31`. */
  day: string;
  isBot: boolean;
}

/** People's clicks by event. The ledger and the index also have robots' clicks, but no count includes them. */
export type EventCounts = ReadonlyMap<string, number>;

export interface ClickCounts {
  /** Since the beginning. */
  total: EventCounts;
  /** By UTC day, `2026-01-31`. At least the last 31 days, without days that have no click. */
  perDay: ReadonlyMap<string, EventCounts>;
}

export interface ClickIndex {
  /**
   * Takes a group of clicks in one transaction. An id that is there already, or earlier in the same group, is not
   * fresh and changes nothing. `persist` writes the fresh ones to the ledger. Commits with the returned position; rolls
   * back if `persist` rejects. The position of an empty file is not stored.
   *
   * One call at a time.
   *
   * @returns for each row, whether it is fresh
   */
  commitGroup(
    rows: readonly ClickRow[],
    persist: (fresh: readonly boolean[]) => Promise<LedgerPosition>,
  ): Promise<boolean[]>;
  /**
   * After that error of `commitGroup`, may the index still have the group? A connection may end between a commit and
   * its answer. The ledger then keeps the group, and the index reads it again.
   */
  mayHaveCommitted(cause: unknown): boolean;
  /** Is that error temporary, until the database is reachable again? */
  isAway(cause: unknown): boolean;
  /** Does that error need a new index? */
  isDamaged(cause: unknown): boolean;
  /** Moves the index aside and begins an empty one. */
  renew(): void;
  /** End of the ledger's indexed part; null: nothing is indexed. */
  position(): Promise<LedgerPosition | null>;
  /** Ids below this one may have been counted and then dropped; null: none were. */
  forgottenBefore(): Promise<string | null>;
  /** Asks for a sign of life. @throws (rejects with) the database's error, if it is away */
  ping(): Promise<void>;
  /** Reads counters, so the cost does not grow with the number of clicks. */
  counts(): Promise<ClickCounts>;
  close(): Promise<void>;
}
