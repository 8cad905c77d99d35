/** The index of the ledger: which clicks are there already, and how many. It can always be made anew from the ledger. */
import type { LedgerPosition } from '../ledger/ledger.ts';

/** What the index keeps of a click. */
export interface ClickRow {
  /** UUID. */
  id: string;
  event: string;
  /** UTC date of reception, `2026-01-31`. */
  day: string;
  isBot: boolean;
}

/** People's clicks by event. The ledger and the index also hold robots' clicks; no count includes them. */
export type EventCounts = ReadonlyMap<string, number>;

export interface ClickCounts {
  /** Since the beginning. */
  total: EventCounts;
  /** By UTC day, `2026-01-31`; the last 31 days at least, days without a click left out. */
  perDay: ReadonlyMap<string, EventCounts>;
}

export interface ClickIndex {
  /**
   * Takes a group of clicks in one transaction. An id that is there already, or earlier in the same group, is not
   * fresh and changes nothing. `persist` brings the fresh ones to the ledger; with what it returns the transaction
   * ends, and when it fails nothing has happened here. The position of an empty file is not kept: the one before says more.
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
   * After that error of `commitGroup`, may the group be in here all the same? A connection may end between a commit
   * and the news of it. What the ledger has then stays there: reading it again settles the matter.
   */
  mayHaveCommitted(cause: unknown): boolean;
  /** Was that error of the kind that passes by itself, once the database is there again? */
  isAway(cause: unknown): boolean;
  /** Was that error of the kind that only a new index mends? */
  isDamaged(cause: unknown): boolean;
  /** Puts what there is aside and begins anew, empty. */
  renew(): void;
  /** Up to where the ledger is in the index; null: nothing is. */
  position(): Promise<LedgerPosition | null>;
  /** Ids below this one may have been in here and dropped since, counted as they were; null: none were. */
  forgottenBefore(): Promise<string | null>;
  /** How many clicks there are, out of counters: what it costs does not grow with them. */
  counts(): Promise<ClickCounts>;
  close(): Promise<void>;
}
