/** A copy of every server's ledger on other machines. nats-stream.ts keeps it in JetStream. */
import type { LedgerPosition } from '../ledger/ledger.ts';

/** The stream has every line of a ledger before this place. */
export interface Confirmed {
  /** null: before the ledger's first line. */
  position: LedgerPosition | null;
  /** The stream's number of the ledger's last line before this place; 0: there is none. */
  sequence: number;
}

/** What the stream has of one ledger. */
export interface Kept {
  confirmed: Confirmed;
  /**
   * Ids of the lines that it has after the confirmed place. An attempt to send a part can leave some, and `clicks forget` more. The
   * shipper takes out those that it has met.
   */
  later: Set<string>;
}

export interface StreamLine {
  /** The click's id; for a line that is not a click, its place in the ledger. */
  id: string;
  text: string;
}

export interface ClickStream {
  /** @throws (rejects) if the stream cannot be reached */
  kept(): Promise<Kept>;
  /**
   * Adds lines. Lines that were sent before are left out for two minutes. Each one carries the confirmed place, so that the stream alone says where to go on.
   *
   * @returns the sequence of the last line, once a quorum has all of them
   * @throws (rejects) if that is not known; some of the lines may be in the stream
   */
  append(lines: readonly StreamLine[], confirmed: Confirmed): Promise<number>;
  /** Does the node answer? Then this is still the same stream. */
  isAlive(): Promise<boolean>;
  /** Resolves when the connection has ended. */
  closed: Promise<void>;
  close(): Promise<void>;
}
